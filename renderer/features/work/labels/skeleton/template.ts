import { labelColor } from '../../../../../preload/contract/colors.ts';
import type { LabelWrite } from '../../../../../preload/contract/schema/labels.ts';
import {
  skeletonJoints,
  skeletonLayout,
  skeletonPlaces,
  type Joint,
} from '../../../../../preload/geometry/skeleton-joints.ts';
import type { SkeletonFile } from '../../../../../preload/geometry/skeleton-svg-reader.ts';
import { writeSkeletonFile, writeSkeletonSvg } from '../../../../../preload/geometry/skeleton-svg-writer.ts';
import { attributeDraft, writeOfAttribute, type AttributeDraft, type LabelDraft } from '../label-draft.ts';

/** Coordinates in the template's box of 100 by 100. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface TemplatePoint extends Place {
  readonly key: string;
  /** Id of its sublabel; undefined until it is saved. */
  readonly id?: number;
  readonly name: string;
  /** Empty lets the service choose. */
  readonly color: string;
  readonly attributes: readonly AttributeDraft[];
}

export type Edge = readonly [from: string, to: string];

/** A skeleton's template. The functions below do not mutate their input. */
export interface Template {
  readonly points: readonly TemplatePoint[];
  readonly edges: readonly Edge[];
}

const newKey = (): string => crypto.randomUUID();
const within = (value: number): number => Math.round(Math.min(100, Math.max(0, value)) * 100) / 100;
const isIn = ({ x, y }: Place): boolean => Math.min(x, y) >= 0 && Math.max(x, y) <= 100;

const edgesOf = (points: readonly TemplatePoint[], joints: readonly Joint[]): Edge[] =>
  joints.flatMap(([from, to]) => {
    const [start, end] = [points[from - 1], points[to - 1]];
    return start === undefined || end === undefined ? [] : [[start.key, end.key] satisfies Edge];
  });

const jointsOf = ({ points, edges }: Template): Joint[] => {
  const places = new Map(points.map(({ key }, index) => [key, index + 1]));
  return edges.map(([from, to]) => [places.get(from) ?? 0, places.get(to) ?? 0]);
};

/** Template of a label. Points without a position, or with one outside the box, are placed inside. */
export function templateOf({ svg, sublabels = [] }: LabelDraft['skeleton']): Template {
  const known = {
    svg,
    sublabels: sublabels.map(({ id, name = '' }) => ({ name, ...(id === undefined ? {} : { id }) })),
  };
  const drawn = skeletonPlaces(known);
  const layout = skeletonLayout(known);
  const areIn = drawn.every((place) => place === null || isIn(place));
  const points = sublabels.map(({ id, name = '', color = '', attributes = [] }, index): TemplatePoint => {
    const { x = 0.5, y = 0.5 } = layout[index] ?? {};
    const own = areIn ? drawn[index] : null;
    return {
      key: newKey(),
      ...(id === undefined ? {} : { id }),
      name,
      color,
      x: within(own?.x ?? 10 + 80 * x),
      y: within(own?.y ?? 10 + 80 * y),
      attributes: attributes.map(attributeDraft),
    };
  });
  return { points, edges: edgesOf(points, skeletonJoints(known)) };
}

export function skeletonOf(template: Template): LabelDraft['skeleton'] {
  const named = template.points.map((point) => ({ ...point, name: point.name.trim() }));
  const sublabels = named.map(({ id, name, color, attributes }) => ({
    ...(id === undefined ? {} : { id }),
    name,
    ...(color === '' ? {} : { color }),
    type: 'points' as const,
    attributes: attributes.map(writeOfAttribute),
  }));
  return { svg: writeSkeletonSvg(named, jointsOf(template)), sublabels: sublabels satisfies LabelWrite['sublabels'] };
}

export function templateOfFile({ nodes, joints }: SkeletonFile): Template {
  const points: TemplatePoint[] = [];
  for (const { name, x, y, color, attributes } of nodes) {
    const own = color ?? freeColor(points, name);
    points.push({ key: newKey(), name, color: own, x, y, attributes: attributes.map(attributeDraft) });
  }
  return { points, edges: edgesOf(points, joints) };
}

/** The template as a file that CVAT reads too. */
export const fileOf = (template: Template): string =>
  writeSkeletonFile(
    template.points.map(({ name, x, y, color, attributes }) => {
      const plain = attributes.map(({ id: _id, ...attribute }) => writeOfAttribute(attribute));
      return { name, x, y, attributes: plain, ...(color === '' ? {} : { color }) };
    }),
    jointsOf(template),
  );

const freeColor = (points: readonly TemplatePoint[], name: string): string =>
  labelColor(
    name,
    points.map(({ color }) => color),
  );

export function withPoint(template: Template, { x, y }: Place): { readonly template: Template; readonly key: string } {
  const names = new Set(template.points.map(({ name }) => name));
  let number = template.points.length + 1;
  while (names.has(String(number))) number += 1;
  const name = String(number);
  const color = freeColor(template.points, name);
  const point = { key: newKey(), name, color, x: within(x), y: within(y), attributes: [] };
  return { template: { ...template, points: [...template.points, point] }, key: point.key };
}

/** Position of a point added by keys: beside the selected one, or in free space. */
export function freePlace({ points }: Template, beside: Place | undefined): Place {
  let place = beside === undefined ? { x: 50, y: 50 } : { x: beside.x + 8, y: beside.y };
  const isTaken = ({ x, y }: Place) => points.some((point) => Math.hypot(point.x - x, point.y - y) < 2);
  while (place.x > 100 || isTaken(place)) {
    const isLineFull = place.x + 8 > 100;
    place = isLineFull ? { x: 10, y: (place.y + 8) % 100 } : { x: place.x + 8, y: place.y };
  }
  return place;
}

export const changed = (template: Template, key: string, change: Partial<Omit<TemplatePoint, 'key'>>): Template => ({
  ...template,
  points: template.points.map((point) => (point.key === key ? { ...point, ...change } : point)),
});

export const moved = (template: Template, key: string, { x, y }: Place): Template =>
  changed(template, key, { x: within(x), y: within(y) });

export const without = ({ points, edges }: Template, key: string): Template => ({
  points: points.filter((point) => point.key !== key),
  edges: edges.filter((edge) => !edge.includes(key)),
});

const areJoined = ({ edges }: Template, a: string, b: string): boolean =>
  edges.some((edge) => edge.includes(a) && edge.includes(b));

export function toggled(template: Template, from: string, to: string): Template {
  if (from === to) return template;
  const others = template.edges.filter((edge) => !edge.includes(from) || !edge.includes(to));
  return { ...template, edges: areJoined(template, from, to) ? others : [...others, [from, to]] };
}

/** Moves the point up (−1) or down (1) in the order, which is that of exported keypoints. */
export function shifted(template: Template, key: string, by: -1 | 1): Template {
  const points = [...template.points];
  const from = points.findIndex((point) => point.key === key);
  const [point] = points.splice(from, 1);
  const to = from + by;
  if (point === undefined || to < 0 || to > points.length) return template;
  points.splice(to, 0, point);
  return { ...template, points };
}

export function pointAt({ points }: Template, { x, y }: Place, reach: number): TemplatePoint | undefined {
  const near = points.map((point) => ({ point, distance: Math.hypot(point.x - x, point.y - y) }));
  const [nearest] = near.filter(({ distance }) => distance <= reach).toSorted((a, b) => a.distance - b.distance);
  return nearest?.point;
}
