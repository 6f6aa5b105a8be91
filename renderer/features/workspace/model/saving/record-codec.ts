import type { Shape, Tag } from '../../../../../preload/contract/schema/annotations.ts';
import type { TrackPiece } from '../../../../../preload/geometry/track-pieces.ts';
import type {
  ElementRecord,
  ObjectRecord,
  ShapeRecord,
  TagRecord,
  TrackPart,
  TrackRecord,
} from '../../../../canvas/types.ts';
import type { Collection, Edit, ShapeBody, TagBody, TrackBody } from './save-types.ts';

/** Client id of an object that was loaded from the service. */
export const clientIdOf = (collection: Collection, serverId: number): string =>
  `${collection.slice(0, -1)}-${serverId}`;
export const collectionOf = (record: ObjectRecord): Collection => `${record.kind}s`;

const withServerId = ({ id }: { readonly id?: number | undefined }): { serverId?: number } =>
  id === undefined ? {} : { serverId: id };

/** Members shared by shapes and skeleton elements. */
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

/** Members shared by shapes and tags. */
const objectRecord = (item: Pick<Shape | Tag, 'frame' | 'group' | 'source'>, clientId: string) => ({
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

/** Members shared by loaded track pieces and unsent edits of tracks. */
type TrackLike = Pick<TrackPiece, 'id' | 'frame' | 'label_id' | 'group' | 'source' | 'attributes'> & {
  readonly shapes: readonly Omit<TrackPiece['shapes'][number], 'id'>[];
  readonly elements: readonly Pick<TrackPiece, 'label_id' | 'attributes' | 'shapes'>[];
};

export function recordFromTrack(track: TrackLike, clientId: string): TrackRecord {
  const partOf = (
    { label_id, attributes, shapes }: Pick<TrackLike, 'label_id' | 'attributes' | 'shapes'>,
    id: string,
  ): TrackPart => ({
    clientId: id,
    labelId: label_id,
    attributes,
    keyframes: shapes.toSorted((a, b) => a.frame - b.frame),
  });
  const elements = track.elements.map((element, index) => partOf(element, `${clientId}/${index}`));
  const own = partOf(track, clientId);
  return {
    kind: 'track',
    ...objectRecord(track, clientId),
    ...withServerId(track),
    ...own,
    frame: own.keyframes[0]?.frame ?? track.frame,
    ...(elements.length === 0 ? {} : { elements }),
  };
}

const attributesOf = (attributes: ShapeRecord['attributes']): TagBody['attributes'] =>
  attributes.map(({ spec_id, value }) => ({ spec_id, value }));

/** Normalizes to 0–360 for the service; an angle in that range keeps its exact value. */
const turnOf = (degrees: number): number => (degrees >= 0 && degrees <= 360 ? degrees : ((degrees % 360) + 360) % 360);

/** Persistent part of a record; display state (locked, hidden) is local. */
export const tagBody = (record: ObjectRecord): TagBody => ({
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

function trackBody(record: TrackRecord): TrackBody {
  const common = tagBody(record);
  const partBody = ({ labelId, attributes, keyframes }: TrackPart) => ({
    ...common,
    frame: keyframes[0]?.frame ?? record.frame,
    label_id: labelId,
    attributes: attributesOf(attributes),
    shapes: keyframes.map(({ frame, type, points, rotation, outside, occluded, z_order, attributes: own }) => ({
      frame,
      type,
      points: [...points],
      rotation: turnOf(rotation),
      outside,
      occluded,
      z_order,
      attributes: attributesOf(own),
    })),
  });
  return { ...partBody(record), elements: (record.elements ?? []).map(partBody) };
}

export const contentOf = (record: ObjectRecord) => {
  switch (record.kind) {
    case 'shape':
      return { collection: 'shapes', body: shapeBody(record) } as const;
    case 'tag':
      return { collection: 'tags', body: tagBody(record) } as const;
    case 'track':
      return { collection: 'tracks', body: trackBody(record) } as const;
  }
};

/** Edit that leads from `before` to `after`; null if no persistent member changed. */
export function editBetween(before: ObjectRecord | null, after: ObjectRecord | null): Edit | null {
  const record = after ?? before;
  if (record === null) return null;
  const content = contentOf(record);
  if (before !== null && after !== null && JSON.stringify(contentOf(before)) === JSON.stringify(content)) return null;
  const base = before === null ? {} : { base: contentOf(before).body };
  // An object never changes its kind.
  return { localId: record.clientId, deleted: after === null, ...content, ...base } as Edit;
}

/** The order of attributes is ignored at any depth. */
const inOrder = (name: string, value: unknown): unknown =>
  name === 'attributes' && Array.isArray(value)
    ? (value as TagBody['attributes']).toSorted((a, b) => a.spec_id - b.spec_id)
    : value;

/** True if the service would store the same for both. */
export const sameBody = (a: Edit['body'], b: Edit['body']): boolean =>
  JSON.stringify(a, inOrder) === JSON.stringify(b, inOrder);

/** Record of an unsent edit, to show it over the service's state. */
export function recordFromEdit(edit: Edit): ObjectRecord | null {
  if (edit.deleted) return null;
  const id = edit.serverId === undefined ? {} : { id: edit.serverId };
  switch (edit.collection) {
    case 'tags':
      return recordFromTag({ ...edit.body, ...id }, edit.localId);
    case 'shapes':
      return recordFromShape({ ...edit.body, ...id }, edit.localId);
    case 'tracks':
      return recordFromTrack({ ...edit.body, ...id }, edit.localId);
  }
}
