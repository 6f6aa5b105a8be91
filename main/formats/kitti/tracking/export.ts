import { boxProblem, createCarrier } from '../../kit/carried.ts';
import { writeItemArchive } from '../../kit/item-archive.ts';
import { createLossNotes } from '../../kit/lost-details.ts';
import { oneLine } from '../../kit/mask-files/label-colors.ts';
import { createFrameNumbers, createTrackNumbers, reportTracks } from '../../kit/numbered-frames.ts';
import type { Exporter } from '../../kit/plugin.ts';
import type { LabeledShape } from '../../kit/task-data.ts';
import { writeKittiRow } from '../box-row.ts';

const format = 'KITTI Tracking';
/** All frames are one video. */
const sequence = '0000';
/** What stands where nothing is known about space: angle, size, place and turn. */
const noSpace = '-1 -1 -1 -1000 -1000 -1000 -10';

/** `frame track type truncated occluded angle box …`, and the score of a box that has one. */
function trackingRow(shape: LabeledShape, label: string, frame: number, track: number): string {
  const fields = writeKittiRow({ ...shape, points: shape.points, label })
    .slice(label.length + 1)
    .split(' ');
  const [truncated, occluded, , ...box] = fields;
  const score = shape.score === undefined || shape.score >= 1 ? [] : [shape.score];
  return `${[frame, track, label, truncated, occluded, -10, ...box.slice(0, 4), noSpace, ...score].join(' ')}\n`;
}

/**
 * KITTI Tracking: `training/label_02/0000.txt` with a row for each box on every frame on which it is seen, and images
 * that are called by the numbers of their frames. Tracks have numbers, other boxes -1.
 */
export const exportKittiTracking: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, { attributes: new Set(['truncated']), occluded: true, score: true });
  const numberOf = createFrameNumbers(task_data, 0);
  const trackOf = createTrackNumbers(0);
  reportTracks(task_data, report, { format });
  const carrier = createCarrier(report, notes);
  const path = `training/label_02/${sequence}.txt`;
  await writeItemArchive(file_object, task_data, options, {
    format,
    hasNumbers: true,
    async addItem({ frame, image }, { spill }) {
      const number = numberOf(frame);
      const rows = spill.open(path);
      for (const { label } of frame.tags) report.lost('tag', label, `${format} has boxes only.`);
      for (const shape of carrier.shapes(frame.labeled_shapes, (one) => boxProblem(one, format)))
        rows.text(trackingRow(shape, oneLine(shape.label, report), number, trackOf(shape)));
      const extension = /\.\w+$/.exec(image)?.[0] ?? '';
      return [`training/image_02/${sequence}/${String(number).padStart(6, '0')}${extension}`];
    },
    async finish({ spill }) {
      spill.open(path);
    },
  });
};
