import { isSystemFile, type Source } from '../../io/source.ts';
import { readLines } from '../../io/text-lines.ts';
import { createAnnotationAdder } from '../../kit/add-annotation.ts';
import { boxProblem, createCarrier, createLossNotes } from '../../kit/dropped-details.ts';
import { pauseBetween, readDatasetFiles, readRows, someOf } from '../../kit/dataset-files.ts';
import { type DatasetReader, defineFormat } from '../../kit/define-format.ts';
import { amongFiles, detectRows, isWithinReach } from '../../kit/detection.ts';
import { writeItemArchive } from '../../kit/item-archive.ts';
import { oneLine, warnOfSpaces } from '../../kit/mask-files/label-colors.ts';
import {
  createFrameNumbers,
  createNumberedFrames,
  createNumberedImages,
  createTrackNumbers,
  reportTracks,
} from '../../kit/numbered-frames.ts';
import type { Exporter } from '../../kit/plugin.ts';
import type { LabeledShape } from '../../kit/task-data.ts';
import { createTrackBuilder } from '../../kit/yolo-family/track-builder.ts';
import { type KittiRow, readKittiRow, shapeOfRow, writeKittiRow } from '../box-row.ts';

interface Sequence {
  readonly path: string;
  readonly name: string;
  /** Parent of the rows' folder, with a trailing slash. */
  readonly folder: string;
}

interface TrackingRow {
  readonly frame: number;
  readonly track: number;
  readonly row: KittiRow;
}

/** `label_02/0000.txt` at any depth. */
function findSequences(source: Source): Sequence[] {
  return source.entries.flatMap(({ path }): Sequence[] => {
    const match = /^((?:.*\/)?)label_0[0-3]\/([^/]+)\.txt$/.exec(path);
    return match && !isSystemFile(path) ? [{ path, folder: match[1] ?? '', name: match[2] ?? '' }] : [];
  });
}

/** Parses a row, or returns the reason why it cannot; undefined for an empty line. */
function readRow(line: string, isLabel: (type: string) => boolean): TrackingRow | string | undefined {
  if (line.trim() === '') return undefined;
  const match = /^\s*(\d{1,9})\s+(-?\d{1,9})\s+(\S.*)$/.exec(line);
  if (!match) return 'a row must start with the number of its frame and that of its track';
  const row = readKittiRow(match[3] ?? '', isLabel);
  return typeof row === 'string' ? row : { frame: Number(match[1]), track: Number(match[2]), row };
}

/** Reads KITTI Tracking: rows of boxes, joined to tracks by number; -1 for boxes without a track. */
const importKittiTracking: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const sequences = findSequences(source);
  const tracks = createTrackBuilder(task_data, report);
  const isLabel = (type: string): boolean => task_data.label(type) !== undefined;

  const framesOf = async ({ path, folder, name }: Sequence) => {
    // All videos number their frames from the start, so only their image folders distinguish them.
    if (sequences.length > 1) return createNumberedImages(task_data, [`${folder}image_02/${name}/`, `${name}/`]);
    const numbers = new Set<number>();
    const take = (line: string): void => {
      const frame = /^\s*(\d{1,9})\s/.exec(line)?.[1];
      if (frame !== undefined) numbers.add(Number(frame));
    };
    await readLines(source.stream(path), take, pauseBetween(task_data, options));
    const folders = [`image_02/${name}/`, `${name}/`, ''];
    return createNumberedFrames(task_data, {
      matching: 'auto',
      firstFrame: 0,
      numbers,
      folders,
      report: options.report,
    });
  };

  await readDatasetFiles<Sequence>(source, task_data, options, {
    format: 'KITTI Tracking',
    needs: 'rows in a folder label_02',
    find: () => someOf(sequences),
    async read(sequence) {
      const { path } = sequence;
      const frameOf = await framesOf(sequence);
      const add = createAnnotationAdder(task_data, report, path);
      await readRows(source, path, { task_data, options }, (line, number) => {
        const at = `line ${number}`;
        const found = readRow(line, isLabel);
        if (found === undefined) return undefined;
        if (typeof found === 'string') return report.invalid(path, at, found);
        const { track, row } = found;
        const frame = frameOf(found.frame);
        if (!frame) return report.invalid(path, at, `frame ${found.frame} is not in the task`);
        const shape = shapeOfRow(row, frame.frame, task_data.label(row.type), report);
        if (track < 0) return add.shape(shape, at);
        const { score, ...tracked } = shape;
        if (score !== undefined) report.dropped('rectangle', row.type, 'Shapes of tracks have no score.');
        return tracks.add(track, { ...tracked, points: shape.points }, path, at, sequences.indexOf(sequence));
      });
    },
  });
  tracks.finish();
};

const detectKittiTracking = amongFiles(async (source) => {
  const sequence = findSequences(source).find(({ path }) => isWithinReach(path));
  if (!sequence) return null;
  const { path } = sequence;
  return detectRows(source, [path], (line) => readRow(line, () => false), {
    reason: `${path} has rows of a frame, a track, a type and numbers, as in KITTI Tracking.`,
    empty: { reason: `${path} is an empty file with the name of a KITTI Tracking file.`, confidence: 0.5 },
  });
});

const format = 'KITTI Tracking';
/** All frames are exported as one video. */
const sequence = '0000';
/** Placeholders for 3D data: angle, size, location and rotation. */
const noSpace = '-1 -1 -1 -1000 -1000 -1000 -10';

/** `frame track type truncated occluded angle box …`, and the score if the box has one. */
function trackingRow(shape: LabeledShape, label: string, frame: number, track: number): string {
  const fields = writeKittiRow({ ...shape, points: shape.points, label })
    .slice(label.length + 1)
    .split(' ');
  const [truncated, occluded, , ...box] = fields;
  const score = shape.score === undefined || shape.score >= 1 ? [] : [shape.score];
  return `${[frame, track, label, truncated, occluded, -10, ...box.slice(0, 4), noSpace, ...score].join(' ')}\n`;
}

/**
 * Writes KITTI Tracking: `training/label_02/0000.txt` with a row for each visible box on every frame, and images named
 * by frame number. Tracks have numbers; other boxes have -1.
 */
const exportKittiTracking: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, { attributes: new Set(['truncated']), occluded: true, score: true });
  const numberOf = createFrameNumbers(task_data, 0);
  const trackOf = createTrackNumbers(0);
  reportTracks(task_data, report, { format });
  const carrier = createCarrier(report, notes);
  const names = new Set<string>();
  const path = `training/label_02/${sequence}.txt`;
  await writeItemArchive(file_object, task_data, options, {
    format,
    hasNumbers: true,
    async addItem({ frame, image }, { spill }) {
      const number = numberOf(frame);
      const rows = spill.open(path);
      for (const { label } of frame.tags) report.dropped('tag', label, `${format} has boxes only.`);
      for (const shape of carrier.shapes(frame.labeled_shapes, (one) => boxProblem(one, format))) {
        names.add(shape.label);
        rows.text(trackingRow(shape, oneLine(shape.label, report), number, trackOf(shape)));
      }
      const extension = /\.\w+$/.exec(image)?.[0] ?? '';
      return [`training/image_02/${sequence}/${String(number).padStart(6, '0')}${extension}`];
    },
    async finish({ spill }) {
      spill.open(path);
    },
  });
  warnOfSpaces([...names], format, report);
};

export const kittiTracking = defineFormat({
  name: 'KITTI Tracking',
  version: '1.0',
  isSequence: true,
  lacksSubsets: true,
  support: { rectangle: 'both', 'rotated rectangle': 'converted', track: 'both', attribute: 'partial' },
  detect: detectKittiTracking,
  read: importKittiTracking,
  write: exportKittiTracking,
});
