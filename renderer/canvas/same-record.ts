import type { AttributeValue, ElementRecord, ObjectRecord, TrackPart } from './types.ts';

/** Compares the content without server ids. Records are plain data. */
export function sameRecord(a: ObjectRecord | null, b: ObjectRecord | null): boolean {
  if (a === null || b === null) return a === b;
  return sameValue({ ...a, serverId: 0 }, { ...b, serverId: 0 });
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  // Plain data of the same kind, so reading by key is safe.
  for (const key of keys) {
    if (!sameValue((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false;
  }
  return true;
}

const turn = (degrees: number): number => ((degrees % 360) + 360) % 360;
const values = (attributes: readonly AttributeValue[]): AttributeValue[] =>
  attributes.map(({ spec_id, value }) => ({ spec_id, value })).toSorted((a, b) => a.spec_id - b.spec_id);

const outline = ({ type, labelId, points, rotation, occluded, outside, zOrder, attributes }: ElementRecord) => {
  const common = { type, labelId, points, rotation: turn(rotation), occluded, outside, zOrder };
  return { ...common, attributes: values(attributes) };
};

const part = ({ labelId, attributes, keyframes }: TrackPart) => ({
  labelId,
  attributes: values(attributes),
  keyframes: keyframes.map(({ frame, type, points, rotation, outside, occluded, z_order, attributes: own }) => {
    const shape = { frame, type, points, rotation: turn(rotation), outside, occluded, z_order };
    return { ...shape, attributes: values(own) };
  }),
});

/** Persistent content in canonical form, without element ids and order, as the service stores it. */
function content(record: ObjectRecord): object {
  const { kind, frame, group, source, labelId } = record;
  const common = { kind, group, source, labelId };
  if (record.kind === 'tag') return { ...common, frame, attributes: values(record.attributes) };
  if (record.kind === 'track') return { ...common, ...part(record), elements: (record.elements ?? []).map(part) };
  return { ...common, frame, ...outline(record), elements: (record.elements ?? []).map(outline) };
}

/** True if the service would store the same for both; display state is ignored. */
export const sameContent = (a: ObjectRecord | null, b: ObjectRecord | null): boolean =>
  a === b || (a !== null && b !== null && sameValue(content(a), content(b)));
