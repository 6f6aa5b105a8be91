import { colorToHex, hexToColor, type RgbColor } from '../../../preload/contract/colors.ts';
import { isRecord } from '../kit/records.ts';
import type { JsonWriter } from '../io/json-writer.ts';
import { type Joint, skeletonJoints } from '../../../preload/geometry/skeleton-joints.ts';
import { skeletonLabel } from '../kit/skeletons.ts';
import type { FileLabel, LabelInfo } from '../kit/task-data.ts';

/** A label of a file. Its index in the list is its number. */
export interface DatumaroLabel {
  readonly name: string;
  /** Skeleton that the label is a point of, or ''. */
  readonly parent: string;
  /** Points of a skeleton, in the order of the coordinates. */
  readonly points: readonly string[];
}

/** The task's labels in the numbering of files: each label is followed by its sublabels. */
export function numberedLabels(labels: readonly LabelInfo[]): { label: LabelInfo; parent: string }[] {
  return labels.flatMap((label) => [
    { label, parent: '' },
    ...label.sublabels.map((sublabel) => ({ label: sublabel, parent: label.name })),
  ]);
}

export function writeCategories(json: JsonWriter, labels: readonly LabelInfo[]): void {
  const list = numberedLabels(labels);
  const attributeNames = ({ attributes }: LabelInfo): string[] => attributes.map(({ name }) => name).toSorted();
  const common = new Set(['occluded', ...list.flatMap(({ label }) => attributeNames(label))]);
  const colors = list.flatMap(({ label }, id) => {
    const color = hexToColor(label.color);
    return color ? [{ label_id: id, r: color[0], g: color[1], b: color[2] }] : [];
  });
  const points = list.flatMap(({ label, parent }, id) =>
    parent === '' && label.sublabels.length > 0
      ? [{ label_id: id, labels: label.sublabels.map(({ name }) => name), joints: skeletonJoints(label) }]
      : [],
  );
  json.value({
    label: {
      labels: list.map(({ label, parent }) => ({ name: label.name, parent, attributes: attributeNames(label) })),
      attributes: [...common].toSorted(),
    },
    mask: colors.length > 0 ? { colormap: colors } : undefined,
    points: { items: points },
  });
}

function listIn(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

interface PointList {
  readonly names: readonly string[];
  readonly joints: readonly Joint[];
}

function readPoints(categories: unknown): Map<number, PointList> {
  const lists = new Map<number, PointList>();
  const points = isRecord(categories) ? categories['points'] : undefined;
  for (const { label_id: id, labels, joints } of listIn(points, 'items')) {
    if (typeof id !== 'number' || !Array.isArray(labels)) continue;
    const pairs: unknown[] = Array.isArray(joints) ? joints : [];
    lists.set(id, {
      names: labels.map(String),
      joints: pairs.flatMap((pair): Joint[] => {
        const [from, to] = Array.isArray(pair) ? (pair as unknown[]) : [];
        return Number.isInteger(from) && Number.isInteger(to) ? [[Number(from), Number(to)]] : [];
      }),
    });
  }
  return lists;
}

function readColors(categories: unknown): Map<number, string> {
  const colors = new Map<number, string>();
  const mask = isRecord(categories) ? categories['mask'] : undefined;
  for (const { label_id: id, r, g, b } of listIn(mask, 'colormap')) {
    const channels = [r, g, b];
    const isColor = channels.every(
      (channel) => Number.isInteger(channel) && Number(channel) >= 0 && Number(channel) <= 255,
    );
    // The number of channels was checked above.
    if (typeof id === 'number' && isColor) colors.set(id, colorToHex(channels as unknown as RgbColor));
  }
  return colors;
}

/** Reads the object `categories` and describes the labels for a project that imports them. */
export function readCategories(categories: unknown): {
  readonly labels: readonly DatumaroLabel[];
  readonly described: readonly FileLabel[];
} {
  const listed = listIn(isRecord(categories) ? categories['label'] : undefined, 'labels');
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const points = readPoints(categories);
  const colors = readColors(categories);
  const labels = listed.map(({ name, parent }, id) => ({
    name: text(name),
    parent: text(parent),
    points: points.get(id)?.names ?? [],
  }));
  const hasPoints = ({ name }: DatumaroLabel): boolean => labels.some(({ parent }) => parent !== '' && parent === name);
  const described = labels.flatMap((label, id): FileLabel[] => {
    if (label.parent !== '' || label.name === '') return [];
    const color = colors.get(id);
    const own = color === undefined ? {} : { color };
    if (!hasPoints(label)) return [{ name: label.name, ...own }];
    return [{ ...skeletonLabel(label.name, label.points, points.get(id)?.joints ?? []), ...own }];
  });
  return { labels, described };
}
