import type {
  AttributeValue,
  Shape,
  SubShape,
  Tag as StoredTag,
} from '../../../preload/contract/schema/annotations.ts';
import { type PartOfPiece, type SeenTrack, withValues } from '../../../preload/geometry/track-pieces.ts';
import type { TrackShape } from '../../../preload/geometry/interpolation.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type {
  Attribute,
  DrawnTrack,
  LabeledShape,
  LabelInfo,
  Tag,
  Track,
  TrackedShape,
  TrackFrame,
} from '../../formats/kit/task-data.ts';
import { StoredShape } from './stored-shape.ts';
import type { StoredShapeBatch } from '../bulk-writer/stored-shape-batch.ts';

export type ShapeNames = ReturnType<typeof createShapeNames>;

const noAttributes: readonly Attribute[] = [];

export function labelInfo(label: Label | Label['sublabels'][number]): LabelInfo {
  return {
    name: label.name,
    color: label.color,
    type: label.type,
    attributes: label.attributes.map(({ id: _id, ...rest }) => rest),
    sublabels: ('project_id' in label || 'task_id' in label ? (label as Label).sublabels : []).map(labelInfo),
    svg: label.svg,
  };
}

export type NameTables = ReturnType<typeof createNameTables>;

export function createNameTables(labels: readonly Label[]) {
  const labelNames = new Map<number, string>();
  const defaults = new Map<number, { readonly fixed: AttributeValue[]; readonly changing: AttributeValue[] }>();
  const attributeNames = new Map<number, string>();
  for (const label of labels) {
    for (const one of [label, ...label.sublabels]) {
      labelNames.set(one.id, one.name);
      const values = one.attributes.map(({ id, mutable, default_value: value }) => ({ spec_id: id, value, mutable }));
      const { fixed = [], changing = [] } = Object.groupBy(values, ({ mutable }) => (mutable ? 'changing' : 'fixed'));
      defaults.set(one.id, { fixed, changing });
      for (const attribute of one.attributes) attributeNames.set(attribute.id, attribute.name);
    }
  }
  const attribute = (id: number, value: string): Attribute[] => {
    const name = attributeNames.get(id);
    return name === undefined ? [] : [{ name, value }];
  };
  return {
    labelName: (id: number) => labelNames.get(id) ?? '',
    /** Default values of a label's keyframes and tracks, for attributes without a value. */
    defaults: (labelId: number) => defaults.get(labelId) ?? { fixed: [], changing: [] },
    named: (values: readonly AttributeValue[]): Attribute[] =>
      values.flatMap(({ spec_id, value }) => attribute(spec_id, value)),
    packedAttributes(text: string | null): readonly Attribute[] {
      if (text === null) return noAttributes;
      return (JSON.parse(text) as [number, string][]).flatMap(([id, value]) => attribute(id, value));
    },
  };
}

/** Converts stored objects (with ids) to those of format plug-ins (with names). */
export function createShapeNames(labels: readonly Label[]) {
  const tables = createNameTables(labels);
  const { labelName, named } = tables;

  const fixed = (part: PartOfPiece): Attribute[] =>
    named(withValues(part.attributes, tables.defaults(part.label_id).fixed));

  const trackedShape = (part: PartOfPiece, one: Omit<TrackShape, 'keyframe'>, keyframe = true): TrackedShape => ({
    type: one.type,
    points: one.points,
    occluded: one.occluded,
    frame: one.frame,
    attributes: named(withValues(one.attributes, tables.defaults(part.label_id).changing)),
    outside: one.outside,
    keyframe,
    z_order: one.z_order,
    rotation: one.rotation,
  });

  const track = (part: PartOfPiece, elements: readonly PartOfPiece[] = []): Track => ({
    label: labelName(part.label_id),
    group: part.group ?? 0,
    shapes: part.shapes.map((shape) => trackedShape(part, shape)),
    source: part.source,
    attributes: fixed(part),
    elements: elements.length > 0 ? elements.map((element) => track(element)) : undefined,
  });

  /** A stored track as the annotation workspace shows it. */
  function drawn({ piece, shapes }: SeenTrack): DrawnTrack {
    const parts = new Map(piece.elements.map((element) => [element.label_id, element]));
    const shapeOf = (part: PartOfPiece, own: readonly Attribute[], shape: TrackShape): TrackedShape => {
      const { attributes, ...rest } = trackedShape(part, shape, shape.keyframe);
      return { ...rest, attributes: [...own, ...attributes] };
    };
    return {
      track: track(piece, piece.elements),
      *frames(): Generator<TrackFrame> {
        const own = fixed(piece);
        const ofElements = new Map(piece.elements.map((element) => [element.label_id, fixed(element)]));
        for (const shape of shapes()) {
          const elements = shape.elements.flatMap((element) => {
            const { label_id: labelId } = element;
            const part = parts.get(labelId);
            if (!part) return [];
            return { ...shapeOf(part, ofElements.get(labelId) ?? [], element), label: labelName(labelId) };
          });
          yield { ...shapeOf(piece, own, shape), elements };
        }
      },
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
    elements: elements && elements.length > 0 ? elements.map((element) => stored(element)) : undefined,
  });

  return {
    shape: (batch: StoredShapeBatch, row: number, elements?: readonly LabeledShape[]): LabeledShape =>
      new StoredShape(batch, row, tables, elements),
    label: labelName,
    drawn,
    stored: (one: Shape) => stored(one, one.elements),
    tag: (one: StoredTag): Tag => ({
      frame: one.frame,
      label: labelName(one.label_id),
      attributes: named(one.attributes),
      group: one.group ?? 0,
      source: one.source,
    }),
  };
}
