import { intersectionOverUnion, mergeRunLengths, type RunLengths } from '../../preload/geometry/run-length.ts';
import type { ComparedObject } from './compared-object.ts';
import { pairOptimally } from './assignment.ts';
import { visibleRasters } from './rasters.ts';
import { kindOf, similarity, tagThreshold, type Comparing } from './similarity.ts';

export interface Pair {
  readonly truth: ComparedObject;
  readonly object: ComparedObject;
  readonly similarity: number;
}

export interface Single {
  readonly object: ComparedObject;
  /** The greatest similarity to an object of the other side. */
  readonly nearest: number;
}

export interface Matching {
  readonly pairs: readonly Pair[];
  readonly missing: readonly Single[];
  readonly extra: readonly Single[];
}

/** Objects that are compared as one; `raster` only if they are compared by pixels. */
interface Instance {
  readonly members: readonly ComparedObject[];
  readonly raster?: RunLengths;
}

/** Sorts by layer. Within a layer CVAT puts groups above single objects, and masks above polygons. */
function layered(areas: readonly ComparedObject[]): ComparedObject[] {
  const isMask = ({ type }: ComparedObject): number => Number(type === 'mask');
  return areas.toSorted(
    (a, b) =>
      a.zOrder - b.zOrder || a.group - b.group || (a.group === 0 ? 0 : a.labelId - b.labelId) || isMask(a) - isMask(b),
  );
}

/** Polygons and masks with the same group and label are one instance. */
function areaInstances(areas: readonly ComparedObject[], { size, rules, raster, joinsGroups }: Comparing): Instance[] {
  const visible = rules.panoptic_comparison ? visibleRasters(layered(areas), size, raster) : null;
  const parts = Map.groupBy(areas, (area) =>
    joinsGroups && area.group !== 0 ? `${area.group} ${area.labelId}` : area,
  );
  return [...parts.values()].map((members) => ({
    members,
    raster: mergeRunLengths(members.map((member) => visible?.get(member) ?? raster(member))),
  }));
}

function instancesOf(kind: string, objects: readonly ComparedObject[], comparing: Comparing): readonly Instance[] {
  return kind === 'area' ? areaInstances(objects, comparing) : objects.map((object) => ({ members: [object] }));
}

function matchKind(
  kind: string,
  truths: readonly ComparedObject[],
  objects: readonly ComparedObject[],
  comparing: Comparing,
): Matching {
  const [ours, theirs] = [instancesOf(kind, truths, comparing), instancesOf(kind, objects, comparing)];
  const table = ours.map((truth) =>
    theirs.map((object) =>
      truth.raster && object.raster
        ? intersectionOverUnion(truth.raster, object.raster)
        : similarity(truth.members[0]!, object.members[0]!, comparing),
    ),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? 0;
  const threshold = kind === 'tag' ? tagThreshold : comparing.rules.iou_threshold;
  const paired = pairOptimally(ours.length, theirs.length, at, threshold);
  const [rows, columns] = [new Set(paired.map(([row]) => row)), new Set(paired.map(([, column]) => column))];
  const singles = (all: readonly Instance[], taken: ReadonlySet<number>, nearest: (index: number) => number) =>
    all.flatMap(({ members }, index) =>
      taken.has(index) ? [] : members.map((object) => ({ object, nearest: nearest(index) })),
    );
  return {
    // Each member with each: an instance of several objects makes several pairs.
    pairs: paired.flatMap(([row, column]) =>
      ours[row]!.members.flatMap((truth) =>
        theirs[column]!.members.map((object) => ({ truth, object, similarity: at(row, column) })),
      ),
    ),
    missing: singles(ours, rows, (row) => theirs.reduce((most, _, column) => Math.max(most, at(row, column)), 0)),
    extra: singles(theirs, columns, (column) => ours.reduce((most, _, row) => Math.max(most, at(row, column)), 0)),
  };
}

/** Matches objects of one kind regardless of their labels, with the greatest total similarity. */
export function matchObjects(
  truths: readonly ComparedObject[],
  objects: readonly ComparedObject[],
  comparing: Comparing,
): Matching {
  const [wanted, found] = [Map.groupBy(truths, kindOf), Map.groupBy(objects, kindOf)];
  const kinds = [...new Set([...wanted.keys(), ...found.keys()])];
  const all = kinds.map((kind) => matchKind(kind, wanted.get(kind) ?? [], found.get(kind) ?? [], comparing));
  return {
    pairs: all.flatMap(({ pairs }) => pairs),
    missing: all.flatMap(({ missing }) => missing),
    extra: all.flatMap(({ extra }) => extra),
  };
}
