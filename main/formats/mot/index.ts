import type { Source } from '../io/source.ts';
import { readLines } from '../io/text-lines.ts';
import { type AnnotationAdder, createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { boxFromExtent } from '../kit/box-extent.ts';
import { labelOfAll, pauseBetween, readDatasetFiles, readRows, someOf } from '../kit/dataset-files.ts';
import { choice, type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, detectRows, isWithinReach } from '../kit/detection.ts';
import { warnOfSharedNames } from '../kit/shared-names.ts';
import { createNumberedFrames, createNumberedImages } from '../kit/numbered-frames.ts';
import { choiceOption, numberOption } from '../kit/option-values.ts';
import type { Attribute, FrameInfo, LabeledShape, LabelInfo } from '../kit/task-data.ts';
import { createTrackBuilder } from '../kit/yolo-family/track-builder.ts';
import { exportMot } from './export.ts';
import { findSequences, type MotRow, type MotSequence, readLabelNames, readMotRow, readStatedSize } from './files.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';

/** Detects rows of numbers in gt/gt.txt or det/det.txt. */
const detectMot = amongFiles(async (source) => {
  const sequence = findSequences(source).find(({ path }) => isWithinReach(path));
  if (!sequence) return null;
  const { path } = sequence;
  const hasLabels = source.has(path.replace(/[^/]+$/, 'labels.txt'));
  return detectRows(source, [path], readMotRow, {
    reason: `${path} has rows of numbers separated by commas, as in MOT.`,
    empty: { reason: `${path} is an empty file with the name of a MOT file.`, confidence: hasLabels ? 0.9 : 0.5 },
  });
});

const largestFrame = 1_000_000_000;

/** Attributes for columns, if the label has them or their value is not the default. */
function attributesOf({ confidence, visibility }: MotRow, label: LabelInfo | undefined): Attribute[] {
  const has = (name: string): boolean => label?.attributes.some((attribute) => attribute.name === name) ?? false;
  return [
    ...(has('ignored') || confidence === 0 ? [{ name: 'ignored', value: String(confidence === 0) }] : []),
    ...(has('visibility') || (visibility > 0 && visibility < 1)
      ? [{ name: 'visibility', value: String(visibility) }]
      : []),
  ];
}

async function readFrameNumbers(
  source: Source,
  { path }: MotSequence,
  pause: () => Promise<void> | undefined,
): Promise<Set<number>> {
  const numbers = new Set<number>();
  const take = (line: string): void => {
    const row = readMotRow(line);
    if (typeof row === 'object') numbers.add(row.frame);
  };
  await readLines(source.stream(path), take, pause);
  return numbers;
}

/**
 * Reads MOT: rows of boxes, joined to tracks by number; -1 for boxes without a track. The option `first_frame` is the
 * number of the first frame (default: 0 if the file has a 0, else 1). `frame_matching` decides if numbers are image
 * names (`name`), positions (`order`), or whichever matches better (`auto`).
 */
const importMot: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const matching = choiceOption(options, 'frame_matching', ['auto', 'name', 'order']);
  const stated = numberOption(options, 'first_frame', { fallback: -1, minimum: -1, maximum: largestFrame });
  const tracks = createTrackBuilder(task_data, report);
  const pause = pauseBetween(task_data, options);
  let sequences: readonly MotSequence[] = [];

  const shapeOf = (row: MotRow, kind: MotSequence['kind'], frame: FrameInfo, label: string): LabeledShape | string => {
    const points = boxFromExtent(row.box);
    if (typeof points === 'string') return points;
    const isScore = row.confidence >= 0 && row.confidence <= 1;
    if (kind === 'det' && !isScore) report.dropped('rectangle', label, 'Scores must be from 0 to 1.');
    const lose = (rule: string): void => report.dropped('attribute', label, rule);
    if (row.visibility > 1) lose('MOT has a visibility from 0 to 1.');
    if (row.hasPlace) lose('A task has no places in space.');
    if (kind === 'gt' && ![0, 1, -1].includes(row.confidence))
      lose('MOT has 0 or 1 as the flag of a box: others count as 1.');
    return plainShape({
      type: 'rectangle',
      frame: frame.frame,
      label,
      points,
      occluded: row.visibility === 0,
      attributes: kind === 'gt' ? attributesOf(row, task_data.label(label)) : [],
      score: kind === 'det' && isScore && row.confidence < 1 ? row.confidence : undefined,
    });
  };

  const sizes = createSizeWatch(report, { files: 'files seqinfo.ini', kept: 'coordinates' });

  const framesOf = async (
    source: Source,
    sequence: MotSequence,
  ): Promise<(number: number) => FrameInfo | undefined> => {
    const folder = sequence.folder === '' ? '' : `${sequence.folder}/`;
    // All videos number their frames from the start, so only their image folders distinguish them.
    if (sequences.length > 1) return createNumberedImages(task_data, [`${folder}img1/`]);
    const firstFrame = stated < 0 ? undefined : stated;
    const numbers = await readFrameNumbers(source, sequence, pause);
    return createNumberedFrames(task_data, { matching, firstFrame, numbers, folders: ['img1/', ''], report });
  };

  const addRow = (
    row: MotRow,
    place: { readonly kind: MotSequence['kind']; readonly path: string; readonly at: string },
    frame: FrameInfo | undefined,
    label: string,
    add: AnnotationAdder,
    series: number,
  ): void => {
    const { path, at, kind } = place;
    if (!frame) return report.invalid(path, at, `frame ${row.frame} is not in the task`);
    const shape = shapeOf(row, kind, frame, label);
    if (typeof shape === 'string') return report.invalid(path, at, shape);
    if (row.track <= 0) return add.shape(shape, at);
    if (shape.score !== undefined) report.dropped('rectangle', label, 'Shapes of tracks have no score.');
    return tracks.add(row.track, shape, path, at, series);
  };

  await readDatasetFiles<MotSequence>(source, task_data, options, {
    format: 'MOT',
    needs: 'rows in gt/gt.txt',
    find: () => ((sequences = findSequences(source)).length > 0 ? someOf(sequences) : undefined),
    async read(sequence) {
      const { path, kind } = sequence;
      const { names, isStated } = await readLabelNames(source, sequence);
      if (isStated) for (const name of names) if (name !== '') task_data.declare_label?.({ name });
      warnOfSharedNames(
        report,
        path.replace(/[^/]+$/, 'labels.txt'),
        names.map((name, index) => [index + 1, name]),
      );
      const frameOf = await framesOf(source, sequence);
      const size = await readStatedSize(source, sequence);
      let isCompared = false;
      const add = createAnnotationAdder(task_data, report, path);
      const series = sequences.indexOf(sequence);
      let unnamed: string | undefined;
      const takeLine = (line: string, lineNumber: number): void => {
        const at = `line ${lineNumber}`;
        const row = readMotRow(line);
        if (row === undefined) return undefined;
        if (typeof row === 'string') return report.invalid(path, at, row);
        const label =
          row.label === undefined ? (unnamed ??= labelOfAll(task_data, 'object', options)) : names[row.label - 1];
        if (label === undefined || label === '')
          return report.invalid(path, at, `label ${row.label} has no name: the dataset names ${names.length} labels`);
        const frame = frameOf(row.frame);
        if (frame && !isCompared) sizes.compare(path, size, frame);
        isCompared ||= frame !== undefined;
        return addRow(row, { kind, path, at }, frame, label, add, series);
      };
      await readRows(source, path, { task_data, options }, takeLine);
    },
  });
  tracks.finish();
  sizes.finish();
};

export const mot = defineFormat({
  name: 'MOT',
  isSequence: true,
  version: '1.1',
  lacksSubsets: true,
  support: { rectangle: 'both', 'rotated rectangle': 'converted', track: 'both', attribute: 'partial' },
  detect: detectMot,
  importOptions: [
    {
      name: 'first_frame',
      title: 'Number of the first frame',
      description: 'Default: 0 if the file has a frame 0, else 1.',
      kind: 'number',
      minimum: 0,
      maximum: largestFrame,
    },
    choice('frame_matching', 'Frame numbers', {
      auto: 'Automatic',
      name: 'Image names',
      order: 'Positions in the task',
    }),
  ],
  read: importMot,
  write: exportMot,
});
