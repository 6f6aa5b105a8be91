import { boundingBox, boxIntersectionOverUnion, uniteBoxes, type Box } from '../../../preload/geometry/geometry.ts';
import { pairGreedily } from '../../comparison/assignment.ts';
import { gitObjectSchema, objectOf, textOf, type GitObject } from '../annotation-objects.ts';
import type { State } from '../merge.ts';

/** Objects of a copy: as it was written, and as another program left it. Each object is a text. */
export interface CopyRead {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface CopyMatch {
  /** Annotations with the changes of their copy applied. */
  readonly state: State;
  /**
   * Number of objects changed or removed in the copy that match no object of the state; their changes are not applied.
   */
  readonly unmatched: number;
}

/** Tolerance between coordinates of a copy and its source, because formats round and rasterize. */
const maxRoundingPixels = 2;

/**
 * Applies changes of a copy. Formats do not preserve object identity or all fields, so the copy is compared with its
 * own earlier version: unchanged objects keep their local values. A removed and an added object count as one changed
 * object if possible, and only fields that differ between the two are changed.
 */
export function matchCopy(state: State, { before, after }: CopyRead, newUid: () => string): CopyMatch {
  const gone = without(before, after).map(objectOf);
  const come = without(after, before).map(objectOf);
  const target = new Map(state);
  const open = new Map<string, Map<string, GitObject>>();
  for (const [uid, text] of state) {
    const own = objectOf(text);
    open.set(placeOf(own), (open.get(placeOf(own)) ?? new Map<string, GitObject>()).set(uid, own));
  }
  const pairs = pairUp(gone, come);
  let unmatched = 0;
  for (const was of gone) {
    const candidates = open.get(placeOf(was)) ?? new Map<string, GitObject>();
    const uid = nearest(candidates, was);
    const own = candidates.get(uid ?? '');
    if (uid === undefined || own === undefined) {
      unmatched += 1;
      continue;
    }
    candidates.delete(uid);
    const is = pairs.get(was);
    if (is === undefined) target.delete(uid);
    else target.set(uid, changed(own, was, is));
  }
  const paired = new Set(pairs.values());
  for (const one of come) if (!paired.has(one)) target.set(newUid(), textOf(one));
  return { state: target, unmatched };
}

function without(texts: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  return texts.filter((text) => {
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    return left <= 0;
  });
}

/**
 * Pairs removed with added objects of the same frame.
 * @param above the similarity must be greater; an object with the same label and no overlap has 1
 */
export function pairUp(gone: readonly GitObject[], come: readonly GitObject[], above = 0): Map<GitObject, GitObject> {
  const byFrame = Map.groupBy(come, ({ frame }) => frame);
  const candidates = gone.flatMap((row) =>
    (byFrame.get(row.frame) ?? []).map((column) => ({ row, column, similarity: similarityOf(row, column) })),
  );
  return pairGreedily(candidates.filter(({ similarity }) => similarity > above));
}

/** Similarity; 0 for different objects. The position has the most weight, then the label. */
function similarityOf(was: GitObject, is: GitObject): number {
  if (was.kind !== is.kind) return 0;
  const isCalledSo = was.label === is.label;
  if (was.kind === 'tag') return isCalledSo ? 1 : 0;
  const [from, to] = [boxOf(was), boxOf(is)];
  const overlap = from && to ? boxIntersectionOverUnion(widened(from), widened(to)) : 0;
  return overlap === 0 ? 0 : overlap + Number(isCalledSo);
}

/** Points and axis-parallel lines have boxes without an area. */
const widened = ({ left, top, right, bottom }: Box): Box => ({
  left: left - maxRoundingPixels,
  top: top - maxRoundingPixels,
  right: right + maxRoundingPixels,
  bottom: bottom + maxRoundingPixels,
});

const placeOf = ({ kind, frame, label }: GitObject): string => JSON.stringify([kind, frame, label]);

/** Nearest source object of the same kind, frame and label. */
function nearest(candidates: ReadonlyMap<string, GitObject>, was: GitObject): string | undefined {
  const box = boxOf(was);
  let found: { uid: string; distance: number } | undefined;
  for (const [uid, own] of candidates) {
    const distance = distanceOf(boxOf(own), box);
    if (distance <= maxRoundingPixels && distance < (found?.distance ?? Infinity)) found = { uid, distance };
  }
  return found?.uid;
}

function distanceOf(a: Box | null, b: Box | null): number {
  if (a === null || b === null) return a === b ? 0 : Infinity;
  return Math.max(...(['left', 'top', 'right', 'bottom'] as const).map((edge) => Math.abs(a[edge] - b[edge])));
}

function changed(own: GitObject, was: GitObject, is: GitObject): string {
  const changes = Object.entries(is).flatMap(([name, value]: [string, unknown]) => {
    // Objects of one kind have the same keys.
    const before: unknown = was[name as keyof GitObject];
    if (JSON.stringify(before) === JSON.stringify(value)) return [];
    return [[name, name === 'attributes' ? withValues(own.attributes, was.attributes, is.attributes) : value] as const];
  });
  // Coordinates are valid only together with the type and rotation.
  const places = is.kind === 'shape' && changes.some(([name]) => name === 'points' || name === 'elements');
  const turned = places ? { type: is.type, rotation: is.rotation } : {};
  return textOf(gitObjectSchema.parse({ ...own, ...turned, ...Object.fromEntries(changes) }));
}

type Values = Readonly<Record<string, string>>;

function withValues(own: Values, was: Values, is: Values): Values {
  const values = { ...own };
  for (const name of Object.keys(was)) if (!(name in is)) delete values[name];
  for (const [name, value] of Object.entries(is)) if (was[name] !== value) values[name] = value;
  return values;
}

/** Box of the object on its first frame; null if it has no position. */
function boxOf(object: GitObject): Box | null {
  if (object.kind === 'tag') return null;
  const shapes = object.kind === 'shape' ? [object] : firstShapes(object);
  return uniteBoxes(shapes.map(boundingBox));
}

const firstShapes = ({ shapes, elements }: GitObject & { kind: 'track' }) =>
  [shapes, ...elements.map((element) => element.shapes)].flatMap((all) => all.slice(0, 1));
