import type { Shape, Tag } from '../../../../preload/contract/schema/annotations.ts';
import type { ElementRecord, SceneRecord, ShapeRecord, TagRecord } from '../../../canvas/types.ts';
import type { Edit, ShapeBody, TagBody } from './save-types.ts';

export const shapeClientId = (serverId: number): string => `shape-${serverId}`;
export const tagClientId = (serverId: number): string => `tag-${serverId}`;

const elementRecord = (element: Shape['elements'][number], parentId: string, index: number): ElementRecord => ({
  clientId: `${parentId}/${index}`,
  ...(element.id === undefined ? {} : { serverId: element.id }),
  type: element.type,
  labelId: element.label_id,
  points: element.points,
  rotation: element.rotation,
  occluded: element.occluded,
  outside: element.outside,
  zOrder: element.z_order,
  attributes: element.attributes,
});

export function recordFromShape(shape: Shape, clientId: string): ShapeRecord {
  return {
    kind: 'shape',
    clientId,
    ...(shape.id === undefined ? {} : { serverId: shape.id }),
    frame: shape.frame,
    labelId: shape.label_id,
    group: shape.group ?? 0,
    source: shape.source,
    attributes: shape.attributes,
    locked: false,
    hidden: false,
    type: shape.type,
    points: shape.points,
    rotation: shape.rotation,
    occluded: shape.occluded,
    outside: shape.outside,
    zOrder: shape.z_order,
    score: shape.score,
    ...(shape.type === 'skeleton'
      ? { elements: shape.elements.map((element, index) => elementRecord(element, clientId, index)) }
      : {}),
  };
}

export const recordFromTag = (tag: Tag, clientId: string): TagRecord => ({
  kind: 'tag',
  clientId,
  ...(tag.id === undefined ? {} : { serverId: tag.id }),
  frame: tag.frame,
  labelId: tag.label_id,
  group: tag.group ?? 0,
  source: tag.source,
  attributes: tag.attributes,
  locked: false,
  hidden: false,
});

const attributesOf = (record: {
  readonly attributes: ShapeRecord['attributes'];
}): ShapeRecord['attributes'][number][] =>
  record.attributes.map((attribute) => ({ spec_id: attribute.spec_id, value: attribute.value }));

/** 0 to 360, as the service wants it; an angle in that range stays the exact number that it is. */
const turnOf = (degrees: number): number => (degrees >= 0 && degrees <= 360 ? degrees : ((degrees % 360) + 360) % 360);

/** What the service keeps of a shape: display state (locked, hidden) stays on the screen. */
export const shapeBody = (record: ShapeRecord): ShapeBody => ({
  type: record.type,
  frame: record.frame,
  label_id: record.labelId,
  group: record.group,
  source: record.source,
  occluded: record.occluded,
  outside: record.outside,
  z_order: record.zOrder,
  rotation: turnOf(record.rotation),
  points: [...record.points],
  attributes: attributesOf(record),
  score: record.score,
  elements: (record.elements ?? []).map((element) => ({
    type: element.type,
    frame: record.frame,
    label_id: element.labelId,
    group: record.group,
    source: record.source,
    occluded: element.occluded,
    outside: element.outside,
    z_order: element.zOrder,
    rotation: turnOf(element.rotation),
    points: [...element.points],
    attributes: attributesOf(element),
    score: 1,
  })),
});

export const tagBody = (record: TagRecord): TagBody => ({
  frame: record.frame,
  label_id: record.labelId,
  group: record.group,
  source: record.source,
  attributes: attributesOf(record),
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
