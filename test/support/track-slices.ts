import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AttributeValue, ShapeType } from '../../preload/contract/schema/annotations.ts';
import type { TrackPiece } from '../../preload/geometry/track-pieces.ts';

/**
 * Tracks across the borders of jobs, in the files of `track_slices`: uploads, the stored parts of each job, the merged
 * read of a task, and the expected boxes on every frame. `p` points, `out` outside, `o` occluded, `z` z order, `r`
 * rotation, `a` attributes by name, `t` the number of the upload.
 */
export interface SliceKeyframe {
  readonly f: number;
  readonly p: readonly number[];
  readonly out?: number;
  readonly o?: number;
  readonly z?: number;
  readonly r?: number;
  readonly a?: Readonly<Record<string, string>>;
  readonly type?: ShapeType;
}

export interface SlicePart {
  readonly label: number;
  readonly type: ShapeType;
  readonly frame: number;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly keyframes: readonly SliceKeyframe[];
}

export interface SliceTrack extends SlicePart {
  readonly elements?: readonly SlicePart[];
}

/** A stored or read part of a track: label and type are those of the upload. */
export interface SlicePiece {
  readonly t: number;
  readonly frame: number;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly keyframes: readonly SliceKeyframe[];
  readonly elements?: readonly Omit<SlicePart, 'type'>[];
}

export interface SliceBox {
  readonly t: number;
  readonly p: readonly number[];
  readonly o?: number;
  readonly z?: number;
  readonly r?: number;
  readonly a?: Readonly<Record<string, string>>;
  readonly elements?: readonly (Omit<SliceBox, 't' | 'elements'> & { readonly label: number })[];
}

export type BoxesByFrame = Readonly<Record<string, readonly SliceBox[]>>;
type Differences = Readonly<Record<string, readonly (SliceBox | number)[]>>;

interface SliceFault {
  readonly kind: string;
  readonly t: number;
  readonly frames: readonly number[];
  readonly cause?: string;
}

interface SliceCase {
  readonly stored?: readonly (readonly SlicePiece[])[];
  readonly read?: readonly SlicePiece[];
  readonly task?: Differences;
  readonly jobs?: Readonly<Record<string, Differences>>;
  readonly faults?: readonly SliceFault[];
  readonly job_faults?: Readonly<Record<string, readonly SliceFault[]>>;
  readonly error?: object;
  readonly job_error?: object;
}

export interface SliceLayout {
  readonly size: number;
  readonly segment_size: number;
  readonly overlap: number;
  readonly jobs: readonly (readonly [number, number])[];
}

type Deleted = { readonly frames: readonly number[]; readonly truth: BoxesByFrame };

export interface SliceLabel {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly attributes?: readonly {
    readonly id: number;
    readonly name: string;
    readonly mutable: boolean;
    readonly default_value: string;
  }[];
  readonly sublabels?: readonly SliceLabel[];
}

export interface SliceFile {
  readonly labels: readonly SliceLabel[];
  readonly layouts?: Readonly<Record<string, SliceLayout>>;
  readonly scenes: readonly (SliceCase & {
    readonly name: string;
    readonly tracks: readonly SliceTrack[];
    readonly truth?: BoxesByFrame;
    readonly layout?: SliceLayout;
    readonly layouts?: Readonly<Record<string, SliceCase>>;
    readonly deleted?:
      | (Deleted & SliceCase)
      | Readonly<Record<string, Deleted & { readonly layouts: Readonly<Record<string, SliceCase>> }>>;
  })[];
}

/** One way of splitting one scene into jobs, with or without deleted frames. */
export interface SliceRun {
  readonly name: string;
  readonly tracks: readonly SliceTrack[];
  readonly layout: SliceLayout;
  readonly deleted: readonly number[];
  readonly truth: BoxesByFrame | undefined;
  readonly expected: SliceCase;
}

export function* runsOf(file: SliceFile): Generator<SliceRun> {
  for (const scene of file.scenes) {
    const { name, tracks, truth } = scene;
    const layoutOf = (key: string): SliceLayout => {
      const layout = file.layouts?.[key];
      if (!layout) throw new Error(`The layout ${key} is not in the file.`);
      return layout;
    };
    for (const [key, expected] of Object.entries(scene.layouts ?? {})) {
      yield { name: `${name} ${key}`, tracks, layout: layoutOf(key), deleted: [], truth, expected };
    }
    if (scene.layout) yield { name, tracks, layout: scene.layout, deleted: [], truth, expected: scene };
    if (!scene.deleted) continue;
    // A random scene has one set of deleted frames; a constructed one has several, by name.
    if (scene.layout) {
      const one = scene.deleted as Deleted & SliceCase;
      yield {
        name: `${name}, deleted`,
        tracks,
        layout: scene.layout,
        deleted: one.frames,
        truth: one.truth,
        expected: one,
      };
      continue;
    }
    type Sets = Readonly<Record<string, Deleted & { readonly layouts: Readonly<Record<string, SliceCase>> }>>;
    for (const [set, one] of Object.entries(scene.deleted as Sets)) {
      for (const [key, expected] of Object.entries(one.layouts)) {
        const run = { name: `${name} ${key}, ${set} deleted`, tracks, layout: layoutOf(key), expected };
        yield { ...run, deleted: one.frames, truth: one.truth };
      }
    }
  }
}

const folder = resolve(import.meta.dirname, '../../../shared/fixtures/track_slices');
export const hasTrackSlices = existsSync(folder);

function readSlices(path: string): SliceFile {
  // The file is the reference; the interfaces above describe its shape.
  return JSON.parse(readFileSync(path, 'utf8')) as SliceFile;
}
/** The repository's own scenes, which are easy to verify by hand. */
export const ownSlices = (): SliceFile => readSlices(resolve(import.meta.dirname, '../fixtures/tracks/scenes.json'));
export const readTrackSlices = (name: string): SliceFile => readSlices(resolve(folder, `${name}.json`));

export function labelsById(labels: readonly SliceLabel[]): Map<number, SliceLabel> {
  return new Map(labels.flatMap((label) => [label, ...(label.sublabels ?? [])]).map((label) => [label.id, label]));
}

export function uploadOf(track: SliceTrack, group: number, labels: Map<number, SliceLabel>): TrackPiece {
  const part = (one: SlicePart) => {
    const specs = labels.get(one.label)?.attributes ?? [];
    const values = (byName: Readonly<Record<string, string>> = {}): AttributeValue[] =>
      Object.entries(byName).map(([name, value]) => ({
        spec_id: specs.find((spec) => spec.name === name)?.id ?? -1,
        value,
      }));
    return {
      frame: one.frame,
      label_id: one.label,
      group,
      source: 'manual' as const,
      attributes: values(one.attributes),
      shapes: one.keyframes.map(({ f, p, out = 0, o = 0, z = 0, r = 0, a, type = one.type }) => ({
        type,
        frame: f,
        points: [...p],
        outside: out === 1,
        occluded: o === 1,
        z_order: z,
        rotation: r,
        attributes: values(a),
      })),
    };
  };
  return { ...part(track), elements: (track.elements ?? []).map(part) };
}

const usualTolerance = 0.002;
const nearAngle = (a: number, b: number, tolerance: number): boolean => {
  const turn = Math.abs(a - b) % 360;
  return Math.min(turn, 360 - turn) <= tolerance;
};
const samePoints = (a: readonly number[], b: readonly number[], tolerance: number): boolean =>
  a.length === b.length && a.every((value, index) => Math.abs(value - b[index]!) <= tolerance);

export type Described = Omit<SliceBox, 't' | 'elements'>;

/** Difference between two shapes; null if there is none. */
export function shapeDifference(a: Described, b: Described, tolerance = usualTolerance): string | null {
  if (!samePoints(a.p, b.p, tolerance)) return a.p.length === b.p.length ? 'moved' : 'outline';
  if (!nearAngle(a.r ?? 0, b.r ?? 0, tolerance)) return 'rotation';
  const values = ({ a: own = {} }: Described) => JSON.stringify(Object.entries(own).toSorted());
  const details = (one: Described) => `${one.o ?? 0} ${one.z ?? 0} ${values(one)}`;
  return details(a) === details(b) ? null : 'details';
}

function boxDifference(a: SliceBox, b: SliceBox, tolerance: number): string | null {
  const difference = shapeDifference(a, b, tolerance);
  if (difference) return difference;
  const [own, other] = [a.elements ?? [], b.elements ?? []].map((elements) =>
    elements.toSorted((x, y) => x.label - y.label),
  );
  const same =
    own!.length === other!.length &&
    own!.every(
      (element, index) =>
        element.label === other![index]!.label && shapeDifference(element, other![index]!, tolerance) === null,
    );
  return same ? null : 'parts';
}

/** A sentence for each wrong frame of a track; empty if every box is there exactly once. */
export function wrongBoxes(
  actual: ReadonlyMap<number, readonly SliceBox[]>,
  truth: BoxesByFrame,
  [first, last]: readonly [number, number],
  tolerance = usualTolerance,
): string[] {
  const wrong: string[] = [];
  for (let frame = first; frame <= last; frame += 1) {
    const byTrack = Map.groupBy(truth[frame] ?? [], ({ t }) => t);
    const found = Map.groupBy(actual.get(frame) ?? [], ({ t }) => t);
    for (const t of new Set([...byTrack.keys(), ...found.keys()])) {
      const [expected = [], seen = []] = [byTrack.get(t), found.get(t)];
      const kind =
        expected.length === 0
          ? 'ghost'
          : seen.length === 0
            ? 'lost'
            : seen.length > expected.length
              ? 'duplicate'
              : boxDifference(seen[0]!, expected[0]!, tolerance);
      if (kind) wrong.push(`${kind}: track ${t} on frame ${frame}`);
    }
  }
  return wrong;
}
