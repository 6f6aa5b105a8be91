import type { AttributeValue, Track as StoredTrack } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { cutForJobs, type PartOfPiece } from '../../../preload/contract/track-pieces.ts';
import { encodePoints } from '../../db/points-codec.ts';
import type { Attribute, LabeledShape, Tag, Track, TrackedShape } from '../../formats/kit/task-data.ts';
import { flagsOf, packAttributes, sourceCode, typeCode } from '../../work/annotations/annotation-rows.ts';
import type { AnnotationBatch, TagBatchRow, TrackBatchRow } from './annotation-batch.ts';
import { createShapeBatchBuilder, type ShapeFields } from './shape-batch-builder.ts';

type NamedLabel = Pick<Label, 'id' | 'name' | 'attributes'> & { readonly sublabels?: readonly NamedLabel[] };

interface LabelIds {
  readonly id: number;
  readonly attributes: ReadonlyMap<string, number>;
  readonly sublabels: ReadonlyMap<string, LabelIds>;
}

/** Frames of a job, or of a task where an import makes several. */
export interface FrameSpan {
  readonly firstFrame: number;
  readonly lastFrame: number;
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
export function createImportSink(
  labels: readonly Label[],
  { spans, areOfOneTask }: { readonly spans: readonly FrameSpan[]; readonly areOfOneTask: boolean },
  send: (batch: AnnotationBatch) => void,
) {
  // Label's sublabels carry no further level.
  const byName = idsByName(labels as readonly NamedLabel[]);
  const shapes = createShapeBatchBuilder(send);
  let tags: TagBatchRow[] = [];
  let tracks: TrackBatchRow[] = [];
  let cutCount = 0;

  /** Each job gets its piece of the track; tasks that get one know nothing of each other. */
  function trackRows(track: Track): TrackBatchRow[] {
    const stored = storedTrack(track, byName);
    const windows = spans.map(({ firstFrame: first, lastFrame: last }) => ({ first, last }));
    const { pieces, isCut } = cutForJobs(stored, windows);
    const [first] = pieces;
    if (!first || !isCut || !areOfOneTask) return pieces.map(({ index, piece }) => trackRow(piece, index));
    cutCount += 1;
    const origin = cutCount;
    const whole = trackRow(stored, first.index, { origin, pieceCount: pieces.length });
    return [whole, ...pieces.map(({ index, piece }) => trackRow(piece, index, { origin }))];
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
      if (tags.push(tagRow(tag, idsOf(tag.label, byName))) >= smallBatch) flushSmall();
    },
    addTrack(track: Track): void {
      if (tracks.push(...trackRows(track)) >= smallBatch) flushSmall();
    },
    end(): void {
      shapes.flush();
      flushSmall();
      send({ kind: 'end' });
    },
  };
}

const attributeIds = (label: LabelIds, attributes: readonly Attribute[]): AttributeValue[] =>
  attributes.flatMap(({ name, value }) => {
    const spec = label.attributes.get(name);
    return spec === undefined ? [] : [{ spec_id: spec, value }];
  });

const values = (label: LabelIds, attributes: readonly Attribute[]): string | null =>
  attributes.length === 0 ? null : packAttributes(attributeIds(label, attributes));

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
    shape,
    attributes: values(label, shape.attributes),
  };
}

const tagRow = (tag: Tag, label: LabelIds): TagBatchRow => ({
  frame: tag.frame,
  labelId: label.id,
  source: sourceCode(tag.source ?? 'file'),
  group: tag.group,
  attributes: values(label, tag.attributes),
});

function storedTrack(track: Track, from: ReadonlyMap<string, LabelIds>): StoredTrack {
  const label = idsOf(track.label, from);
  const shapes = track.shapes.toSorted((a, b) => a.frame - b.frame).map((shape) => storedShape(shape, label));
  return {
    frame: shapes[0]?.frame ?? 0,
    label_id: label.id,
    group: track.group,
    source: track.source ?? 'file',
    attributes: attributeIds(label, track.attributes ?? []),
    shapes,
    elements: (track.elements ?? []).map((element) => storedTrack(element, label.sublabels)),
  };
}

const storedShape = (shape: TrackedShape, label: LabelIds) => ({
  type: shape.type,
  frame: shape.frame,
  occluded: shape.occluded,
  outside: shape.outside,
  z_order: shape.z_order,
  rotation: shape.rotation ?? 0,
  points: [...shape.points],
  attributes: attributeIds(label, shape.attributes),
});

function trackRow(
  track: PartOfPiece & { elements?: PartOfPiece[] },
  target: number,
  cut: Pick<TrackBatchRow, 'origin' | 'pieceCount'> = {},
): TrackBatchRow {
  const { pieceCount } = cut;
  return {
    ...cut,
    target,
    frame: track.frame,
    labelId: track.label_id,
    source: sourceCode(track.source),
    group: track.group ?? 0,
    attributes: packAttributes(track.attributes),
    shapes: track.shapes.map((shape) => ({
      frame: shape.frame,
      type: typeCode(shape.type),
      flags: flagsOf(shape),
      zOrder: shape.z_order,
      rotation: shape.rotation,
      points: encodePoints(shape.points),
      attributes: packAttributes(shape.attributes),
    })),
    elements: (track.elements ?? []).map((element) =>
      trackRow(element, target, pieceCount === undefined ? {} : { pieceCount }),
    ),
  };
}
