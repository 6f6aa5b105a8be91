import type { Shape, Tag } from '../../../../preload/contract/schema/annotations.ts';
import type { ElementRecord, SceneRecord, ShapeRecord, TagRecord } from '../../../canvas/types.ts';
import type { Edit, ShapeBody, TagBody } from './save-types.ts';

export const shapeClientId = (serverId: number): string => `shape-${serverId}`;
export const tagClientId = (serverId: number): string => `tag-${serverId}`;

const withServerId = ({ id }: { readonly id?: number | undefined }): { serverId?: number } =>
  id === undefined ? {} : { serverId: id };

/** What shapes and the elements of a skeleton have in common. */
const outlineRecord = (shape: Shape['elements'][number]) => ({
  ...withServerId(shape),
  type: shape.type,
  labelId: shape.label_id,
  points: shape.points,
  rotation: shape.rotation,
  occluded: shape.occluded,
  outside: shape.outside,
  zOrder: shape.z_order,
  attributes: shape.attributes,
});

/** What shapes and tags have in common. */
const objectRecord = (item: Shape | Tag, clientId: string) => ({
  clientId,
  frame: item.frame,
  group: item.group ?? 0,
  source: item.source,
  locked: false,
  hidden: false,
});

export const recordFromShape = (shape: Shape, clientId: string): ShapeRecord => ({
  kind: 'shape',
  ...objectRecord(shape, clientId),
  ...outlineRecord(shape),
  score: shape.score,
  ...(shape.type === 'skeleton'
    ? {
        elements: shape.elements.map((element, index): ElementRecord => ({
          clientId: `${clientId}/${index}`,
          ...outlineRecord(element),
        })),
      }
    : {}),
});

export const recordFromTag = (tag: Tag, clientId: string): TagRecord => ({
  kind: 'tag',
  ...objectRecord(tag, clientId),
  ...withServerId(tag),
  labelId: tag.label_id,
  attributes: tag.attributes,
});

const attributesOf = (attributes: ShapeRecord['attributes']): TagBody['attributes'] =>
  attributes.map(({ spec_id, value }) => ({ spec_id, value }));

/** 0 to 360, as the service wants it; an angle in that range stays the exact number that it is. */
const turnOf = (degrees: number): number => (degrees >= 0 && degrees <= 360 ? degrees : ((degrees % 360) + 360) % 360);

/** What the service keeps of every object: display state (locked, hidden) stays on the screen. */
export const tagBody = (record: SceneRecord): TagBody => ({
  frame: record.frame,
  label_id: record.labelId,
  group: record.group,
  source: record.source,
  attributes: attributesOf(record.attributes),
});

const outlineBody = (shape: ElementRecord) => ({
  type: shape.type,
  label_id: shape.labelId,
  occluded: shape.occluded,
  outside: shape.outside,
  z_order: shape.zOrder,
  rotation: turnOf(shape.rotation),
  points: [...shape.points],
  attributes: attributesOf(shape.attributes),
});

export const shapeBody = (record: ShapeRecord): ShapeBody => ({
  ...tagBody(record),
  ...outlineBody(record),
  score: record.score,
  elements: (record.elements ?? []).map((element) => ({ ...tagBody(record), ...outlineBody(element), score: 1 })),
});

const bodyOf = (record: SceneRecord): ShapeBody | TagBody =>
  record.kind === 'shape' ? shapeBody(record) : tagBody(record);

/** The edit that brings the service from `before` to `after`; null when nothing that it keeps has changed. */
export function editBetween(before: SceneRecord | null, after: SceneRecord | null): Edit | null {
  const record = after ?? before;
  if (record === null) return null;
  const same = before !== null && after !== null && JSON.stringify(bodyOf(before)) === JSON.stringify(bodyOf(after));
  if (same) return null;
  const base = { localId: record.clientId, deleted: after === null };
  return record.kind === 'shape'
    ? { ...base, collection: 'shapes', body: shapeBody(record) }
    : { ...base, collection: 'tags', body: tagBody(record) };
}

/** The record of an unsent edit, for showing it over what the service has. */
export function recordFromEdit(edit: Edit): SceneRecord | null {
  if (edit.deleted) return null;
  const id = edit.serverId === undefined ? {} : { id: edit.serverId };
  return edit.collection === 'tags'
    ? recordFromTag({ ...edit.body, ...id }, edit.localId)
    : recordFromShape({ ...edit.body, ...id }, edit.localId);
}
