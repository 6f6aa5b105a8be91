import { maskToPolygons } from '../../../preload/geometry/mask-polygons.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { eachFile, notOfFormat } from '../kit/dataset-files.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { findFrame } from '../kit/find-frame.ts';
import { oneLine } from '../kit/mask-files/label-colors.ts';
import { createPaintedExporter } from '../kit/mask-files/painted-exporter.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePng } from '../kit/mask-files/png-writer.ts';
import { createUnknownValues, readNumbers } from '../kit/mask-files/read-classes.ts';
import { hasArea } from '../kit/mask-files/shape-mask.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { reportTracks } from '../kit/numbered-frames.ts';
import type { FormatReport } from '../kit/report.ts';
import { warnOfSharedNames } from '../kit/shared-names.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import { createTrackBuilder } from '../kit/yolo-family/track-builder.ts';

const format = 'MOTS PNG';
const maxInstances = 1000;
const largest = 65_535;
const labelsFile = 'labels.txt';

/** Assigns track numbers: unique among all labels if the range is large enough, else per label. */
function createTrackNumbers(trackCount: number) {
  const perLabel = trackCount >= maxInstances;
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  return (shape: LabeledShape): number | undefined => {
    const key = `${shape.task_id ?? ''} ${shape.track_id}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const series = perLabel ? shape.label : '';
    const number = (counts.get(series) ?? 0) + 1;
    if (number >= maxInstances) return undefined;
    counts.set(series, number);
    numbers.set(key, number);
    return number;
  };
}

/**
 * Writes MOTS PNG: per image a mask with the object numbers (1 + label) · 1000 + track. Only tracks have such numbers;
 * every frame on which a track is visible becomes a keyframe.
 */
const exportMots = createPaintedExporter({
  format,
  isOfTracks: true,
  files({ task_data, report }) {
    const labels = new Map(task_data.meta.labels.map(({ name }, index) => [name, index]));
    const trackCount = reportTracks(task_data, report, {
      format,
      isIncluded: hasArea,
      lacks: `${format} has masks only, and its shapes have no area to paint.`,
    });
    const trackNumber = createTrackNumbers(trackCount);
    const valueOf = (shape: LabeledShape): number | undefined => {
      const label = labels.get(shape.label);
      const track = trackNumber(shape);
      const value = label === undefined || track === undefined ? Infinity : (1 + label) * maxInstances + track;
      return value <= largest ? value : undefined;
    };
    const problemOf = (shape: LabeledShape): string | undefined => {
      if (shape.track_id === undefined) return `${format} has tracks only.`;
      return valueOf(shape) === undefined
        ? `${format} has numbers for 64 labels, and for 999 tracks of each.`
        : undefined;
    };
    return {
      painting: {
        ignoresGroups: true,
        paints(shape) {
          const problem = problemOf(shape);
          if (problem !== undefined) report.dropped(shape.type, shape.label, problem);
          return problem === undefined;
        },
      },
      imagePath: ({ subset, image }) => `${subset}/images/${image}`,
      async add({ subset, stem }, painted, { packed }) {
        if (!painted) return;
        const { width, height } = painted;
        const pixels = Uint16Array.from(mapInstances(painted, ({ leader }) => valueOf(leader) ?? 0));
        await packed(`${subset}/instances/${stem}.png`, encodePng({ kind: 'grey16', width, height, pixels }));
      },
      async finish({ zip }, subsets) {
        const list = task_data.meta.labels.map(({ name }) => oneLine(name, report)).join('\n');
        for (const subset of subsets) await zip.add(`${subset}/instances/${labelsFile}`, list);
      },
    };
  },
});

/** The published datasets have no list of labels; class 10 marks regions to ignore. */
const publishedLabels = new Map([
  [1, 'car'],
  [2, 'pedestrian'],
  [10, 'ignored'],
]);
const ignoredClass = 10;

interface MotsFile {
  readonly path: string;
  readonly subset: string;
  readonly stem: string;
  /** Folder that also has the list of labels. */
  readonly folder: string;
}

/** `<subset>/instances/<image>.png` at any depth. */
function findMotsFiles(source: Source): MotsFile[] {
  return source.entries.flatMap(({ path }): MotsFile[] => {
    const match = /^((?:(?:.*\/)?([^/]+)\/)?instances)\/(.+\.png)$/i.exec(path);
    if (!match || isSystemFile(path)) return [];
    const [, folder = '', subset = 'default', name = ''] = match;
    return [{ path, folder, subset, stem: withoutExtension(name) }];
  });
}

type Labels = ReadonlyMap<number, string>;

async function readLabels(source: Source, folder: string, report: FormatReport): Promise<Labels> {
  const path = `${folder}/labels.txt`;
  if (!source.has(path)) return publishedLabels;
  const names = splitLines(await source.read(path)).map((line) => line.trim());
  while (names.at(-1) === '') names.pop();
  // An empty line has a number too.
  const labels = new Map(names.map((name, index) => [index + 1, name] as const).filter(([, name]) => name !== ''));
  warnOfSharedNames(report, path, labels);
  if (names.length < ignoredClass) labels.set(ignoredClass, 'ignored');
  return labels;
}

/** The pixels of one number and label on a frame: the parts of an object's mask. */
interface Sight {
  readonly frame: number;
  readonly path: string;
  readonly polygons: readonly (readonly number[])[];
}

interface TrackSights {
  readonly id: number;
  readonly label: string;
  readonly isIgnored: boolean;
  readonly snapshots: Sight[];
}

/**
 * Reads MOTS PNG: tracks of polygons, one per object number. Separate parts become tracks of one group. Tracks cannot
 * have masks, so without `conv_mask_to_poly`, masks become single shapes.
 */
const importMots: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const files = findMotsFiles(source);
  if (files.length === 0 && !source.entries.some(({ path }) => /(^|\/)instances\/labels\.txt$/.test(path))) {
    throw notOfFormat(source, format, 'it has no images such as train/instances/000001.png');
  }
  const labelsOf = new Map<string, Labels>();
  for (const { folder } of files) {
    if (labelsOf.has(folder)) continue;
    const labels = await readLabels(source, folder, report);
    labelsOf.set(folder, labels);
    if (labels !== publishedLabels)
      for (const [number, name] of labels)
        if (number !== ignoredClass || name !== 'ignored') task_data.declare_label?.({ name });
  }
  for (const { path } of source.entries) {
    const subset = /(?:^|\/)([^/]+)\/instances\/labels\.txt$/.exec(path)?.[1];
    if (subset !== undefined) task_data.declare_subset?.(subset);
  }
  const sizes = createSizeWatch(report);
  const series = new Map<string, TrackSights>();
  let groups = 0;

  const take = (label: string, id: number, isIgnored: boolean, sight: Sight): void => {
    const key = `${label}\u0000${id}`;
    const known = series.get(key);
    if (known) known.snapshots.push(sight);
    else series.set(key, { id, label, isIgnored, snapshots: [sight] });
  };

  const importFile = async ({ path, folder, subset, stem }: MotsFile): Promise<void> => {
    const labels = labelsOf.get(folder) ?? publishedLabels;
    const frame = findFrame(task_data, [`${stem}.jpg`], subset, path);
    if (!frame)
      return report.invalid(path, 'the image', `image "${stem}" is not in the task: its objects were left out`);
    const found = await readNumbers(path, frame, { source, report, sizes });
    if (!found) return undefined;
    const unknown = createUnknownValues(
      report,
      (value) => `the number ${value} (label ${Math.floor(value / maxInstances)})`,
    );
    const add = createAnnotationAdder(task_data, report, path);
    for (const [value, { points, area }] of found) {
      const number = Math.floor(value / maxInstances);
      const label = labels.get(number);
      if (value === 0) continue;
      if (label === undefined) {
        unknown.count(value, area);
        continue;
      }
      const isIgnored = number === ignoredClass && label === 'ignored';
      if (options.conv_mask_to_poly) {
        take(label, value % maxInstances, isIgnored, { frame: frame.frame, path, polygons: maskToPolygons(points) });
        continue;
      }
      report.dropped('track', label, 'Tracks cannot have masks: each frame became a separate shape.');
      const mask = { type: 'mask', frame: frame.frame, label, points, z_order: isIgnored ? 1 : 0 } as const;
      add.shape(plainShape(mask), `number ${value}`);
    }
    unknown.finish(path, 'numbers belong to no label');
    return undefined;
  };

  await eachFile(files, task_data, options, importFile);
  const builder = createTrackBuilder(task_data, report);
  let tracks = 0;
  for (const { id, label, isIgnored, snapshots } of series.values()) {
    const group = snapshots.some(({ polygons }) => polygons.length > 1) ? (groups += 1) : 0;
    const partCount = Math.max(...snapshots.map(({ polygons }) => polygons.length));
    for (let part = 0; part < partCount; part += 1) {
      tracks += 1;
      for (const { frame, path, polygons } of snapshots) {
        const points = polygons[part];
        const fields = { type: 'polygon', frame, label, group, z_order: isIgnored ? 1 : 0 } as const;
        if (points) builder.add(tracks, plainShape({ ...fields, points }), path, `track ${id}`);
      }
    }
  }
  builder.finish();
  if (series.size > 0)
    report.warn('Masks were converted to polygons, which are accurate to a pixel: tracks cannot have masks.');
  sizes.finish();
};

const detectMots = amongFiles((source) => {
  const file = findMotsFiles(source).find(({ path }) => isWithinReach(path));
  if (!file) {
    const list = source.entries.find(({ path }) => /(?:^|\/)instances\/labels\.txt$/.test(path) && isWithinReach(path));
    return list ? { reason: `${list.path} is the list of labels of a folder instances.`, confidence: 0.9 } : null;
  }
  const hasLabels = source.has(`${file.folder}/labels.txt`);
  const reason = `${file.path} is in a folder instances${hasLabels ? ', with the list of labels beside it' : ''}.`;
  return { reason, confidence: hasLabels ? 0.95 : 0.85 };
});

export const mots = defineFormat({
  name: 'MOTS PNG',
  isSequence: true,
  version: '1.0',
  support: { track: 'both' },
  detect: detectMots,
  read: importMots,
  write: exportMots,
});
