import type { AttributeValue } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { encodePoints } from '../../db/points-codec.ts';
import type { Attribute, LabeledShape, Tag, Track, TrackedShape } from '../../formats/task-data.ts';
import { flagsOf, packAttributes, sourceCode, typeCode } from '../annotations/annotation-rows.ts';
import type { AnnotationBatch, TagBatchRow, TrackBatchRow } from './annotation-batch.ts';
import { createShapeBatchBuilder, type ShapeFields } from './shape-batch-builder.ts';

type NamedLabel = Pick<Label, 'id' | 'name' | 'attributes'> & { readonly sublabels?: readonly NamedLabel[] };

interface LabelIds {
  readonly id: number;
  readonly attributes: ReadonlyMap<string, number>;
  readonly sublabels: ReadonlyMap<string, LabelIds>;
}

const smallBatch = 500;

const idsByName = (labels: readonly NamedLabel[]): Map<string, LabelIds> =>
  new Map(
    labels.map((label) => [
      label.name,
      {
        id: label.id,
        attributes: new Map(label.attributes.map((attribute) => [attribute.name, attribute.id])),
        sublabels: idsByName(label.sublabels ?? []),
      },
    ]),
  );

/**
 * Takes checked objects of an import, turns names into ids, and sends them on in batches. Annotations that come from a
 * file carry the source `file` unless the file states one.
 */
export function createImportSink(labels: readonly Label[], send: (batch: AnnotationBatch) => void) {
  // Label's sublabels carry no further level.
  const byName = idsByName(labels as readonly NamedLabel[]);
  const shapes = createShapeBatchBuilder(send);
  let tags: TagBatchRow[] = [];
  let tracks: TrackBatchRow[] = [];

  const values = (label: LabelIds, attributes: readonly Attribute[]): string | null => {
    if (attributes.length === 0) return null;
    const known: AttributeValue[] = [];
    for (const { name, value } of attributes) {
      const spec = label.attributes.get(name);
      if (spec !== undefined) known.push({ spec_id: spec, value });
    }
    return packAttributes(known);
  };

  function idsOf(name: string, from: ReadonlyMap<string, LabelIds>): LabelIds {
    const label = from.get(name);
    if (!label) throw new Error(`The label ${name} passed the checks but is not known.`);
    return label;
  }

  function fields(shape: LabeledShape, label: LabelIds, frame: number): ShapeFields {
    return {
      frame,
      labelId: label.id,
      type: typeCode(shape.type),
      source: sourceCode(shape.source ?? 'file'),
      flags: flagsOf(shape),
      zOrder: shape.z_order,
      group: shape.group,
      rotation: shape.rotation ?? 0,
      score: shape.score ?? 1,
      area: shape.area,
      points: shape.points,
      attributes: values(label, shape.attributes),
    };
  }

  const tagRow = (tag: Tag | Track, label: LabelIds, frame: number): TagBatchRow => ({
    frame,
    labelId: label.id,
    source: sourceCode(tag.source ?? 'file'),
    group: tag.group,
    attributes: values(label, tag.attributes ?? []),
  });

  const trackedRow = (shape: TrackedShape, label: LabelIds) => ({
    frame: shape.frame,
    type: typeCode(shape.type),
    flags: flagsOf(shape),
    zOrder: shape.z_order,
    rotation: shape.rotation ?? 0,
    points: encodePoints(shape.points),
    attributes: values(label, shape.attributes),
  });

  function trackRow(track: Track, from: ReadonlyMap<string, LabelIds>): TrackBatchRow {
    const label = idsOf(track.label, from);
    const ordered = track.shapes.toSorted((a, b) => a.frame - b.frame);
    return {
      ...tagRow(track, label, ordered[0]?.frame ?? 0),
      shapes: ordered.map((shape) => trackedRow(shape, label)),
      elements: (track.elements ?? []).map((element) => trackRow(element, label.sublabels)),
    };
  }

  function flushSmall(): void {
    if (tags.length > 0) send({ kind: 'tags', rows: tags });
    if (tracks.length > 0) send({ kind: 'tracks', rows: tracks });
    tags = [];
    tracks = [];
  }

  return {
    addShape(shape: LabeledShape): void {
      const label = idsOf(shape.label, byName);
      const elements = (shape.elements ?? []).map((element) =>
        fields(element, idsOf(element.label, label.sublabels), shape.frame),
      );
      shapes.add(fields(shape, label, shape.frame), elements);
    },
    addTag(tag: Tag): void {
      if (tags.push(tagRow(tag, idsOf(tag.label, byName), tag.frame)) >= smallBatch) flushSmall();
    },
    addTrack(track: Track): void {
      if (tracks.push(trackRow(track, byName)) >= smallBatch) flushSmall();
    },
    end(): void {
      shapes.flush();
      flushSmall();
      send({ kind: 'end' });
    },
  };
}
