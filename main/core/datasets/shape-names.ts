import type {
  AttributeValue,
  Shape,
  SubShape,
  Tag as StoredTag,
  Track as StoredTrack,
} from '../../../preload/contract/schema/annotations.ts';
import { interpolateTrack, type InterpolatedShape } from '../../../preload/contract/interpolation.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Attribute, LabeledShape, LabelInfo, Tag, Track, TrackedShape } from '../../formats/task-data.ts';
import { StoredShape } from './stored-shape.ts';
import type { StoredShapeBatch } from './stored-shape-batch.ts';

export type ShapeNames = ReturnType<typeof createShapeNames>;

const noAttributes: readonly Attribute[] = [];

export function labelInfo(label: Label | Label['sublabels'][number]): LabelInfo {
  return {
    name: label.name,
    color: label.color,
    type: label.type,
    attributes: label.attributes.map(({ id: _id, ...rest }) => rest),
    sublabels: ('project_id' in label || 'task_id' in label ? (label as Label).sublabels : []).map(labelInfo),
    ...(label.svg === undefined ? {} : { svg: label.svg }),
  };
}

/** Names of labels and attributes by id. */
function createNameTables(labels: readonly Label[]) {
  const labelNames = new Map<number, string>();
  const attributeNames = new Map<number, string>();
  for (const label of labels) {
    for (const one of [label, ...label.sublabels]) {
      labelNames.set(one.id, one.name);
      for (const attribute of one.attributes) attributeNames.set(attribute.id, attribute.name);
    }
  }
  const attribute = (id: number, value: string): Attribute[] => {
    const name = attributeNames.get(id);
    return name === undefined ? [] : [{ name, value }];
  };
  return {
    labelName: (id: number) => labelNames.get(id) ?? '',
    named: (values: readonly AttributeValue[]): Attribute[] =>
      values.flatMap(({ spec_id, value }) => attribute(spec_id, value)),
    packedAttributes(text: string | null): readonly Attribute[] {
      if (text === null) return noAttributes;
      return (JSON.parse(text) as [number, string][]).flatMap(([id, value]) => attribute(id, value));
    },
  };
}

/** Turns stored objects, which know ids, into those of a format plug-in, which knows names. */
export function createShapeNames(labels: readonly Label[]) {
  const tables = createNameTables(labels);
  const { labelName, named } = tables;

  const trackedShape = (one: StoredTrack['shapes'][number]): TrackedShape => ({
    type: one.type,
    points: one.points,
    occluded: one.occluded,
    frame: one.frame,
    attributes: named(one.attributes),
    outside: one.outside,
    keyframe: true,
    z_order: one.z_order,
    rotation: one.rotation,
  });

  const track = (one: Omit<StoredTrack, 'elements'> & { elements?: StoredTrack['elements'] }): Track => ({
    label: labelName(one.label_id),
    group: one.group ?? 0,
    shapes: one.shapes.map(trackedShape),
    source: one.source,
    attributes: named(one.attributes),
    ...(one.elements && one.elements.length > 0 ? { elements: one.elements.map(track) } : {}),
  });

  function interpolated(from: StoredTrack, trackId: number, one: InterpolatedShape): LabeledShape {
    const base = (
      labelId: number,
      value: Pick<InterpolatedShape, 'type' | 'points' | 'occluded' | 'outside' | 'z_order' | 'rotation'>,
    ) => ({
      type: value.type,
      frame: one.frame,
      label: labelName(labelId),
      points: value.points,
      occluded: value.occluded,
      outside: value.outside,
      z_order: value.z_order,
      rotation: value.rotation,
      group: from.group ?? 0,
      source: from.source,
    });
    const elements = one.elements.map((element): LabeledShape => ({
      ...base(element.label_id, element),
      attributes: named(element.attributes),
    }));
    return {
      ...base(from.label_id, one),
      attributes: [...named(from.attributes), ...named(one.attributes)],
      track_id: trackId,
      keyframe: one.keyframe,
      ...(elements.length > 0 ? { elements } : {}),
    };
  }

  const stored = (one: SubShape, elements?: readonly SubShape[]): LabeledShape => ({
    type: one.type,
    frame: one.frame,
    label: labelName(one.label_id),
    points: one.points,
    occluded: one.occluded,
    outside: one.outside,
    attributes: named(one.attributes),
    group: one.group ?? 0,
    z_order: one.z_order,
    rotation: one.rotation,
    source: one.source,
    score: one.score,
    ...(elements && elements.length > 0 ? { elements: elements.map((element) => stored(element)) } : {}),
  });

  return {
    shape: (batch: StoredShapeBatch, row: number, elements?: readonly LabeledShape[]): LabeledShape =>
      new StoredShape(batch, row, tables, elements),
    track,
    stored: (one: Shape) => stored(one, one.elements),
    tag: (one: StoredTag): Tag => ({
      frame: one.frame,
      label: labelName(one.label_id),
      attributes: named(one.attributes),
      group: one.group ?? 0,
      source: one.source,
    }),
    /** The visible shapes of a track in frame order. */
    *flatten(from: StoredTrack, trackId: number, stopFrame: number): Generator<LabeledShape> {
      for (const one of interpolateTrack(from, 0, stopFrame + 1)) {
        if (!one.outside) yield interpolated(from, trackId, one);
      }
    },
  };
}
