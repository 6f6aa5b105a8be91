import type { AttributeValue, Track as StoredTrack } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { indexRanges } from '../../../preload/geometry/frame-spans.ts';
import { cutForJobs, type PartOfPiece } from '../../../preload/geometry/track-pieces.ts';
import type { Attribute, LabeledShape, Tag, Track } from '../../formats/kit/task-data.ts';
import type { FormatReport } from '../../formats/kit/report.ts';
import { onFrame } from '../../work/annotations/pool-copies.ts';
import type { Honeypot } from '../../work/tables/honeypot-rows.ts';
import { packAttributes } from '../../work/annotations/annotation-rows.ts';
import type { AnnotationBatch, FrameSpan, TrackBatchRow } from '../bulk-writer/annotation-batch.ts';
import {
  createBatchBuilder,
  keyframeRow,
  shapeFields,
  tagRow,
  type ShapeFields,
} from '../bulk-writer/batch-builder.ts';
import { labelIdsByName, type LabelIds } from '../bulk-writer/label-ids.ts';

const none: readonly ShapeFields[] = [];

export type AnnotationSink = ReturnType<typeof createAnnotationSink>;

/** Receives checked objects of an import, resolves names to ids, and sends batches. */
export function createAnnotationSink(
  labels: readonly Label[],
  { spans, areOfOneTask }: { readonly spans: readonly FrameSpan[]; readonly areOfOneTask: boolean },
  send: (batch: AnnotationBatch) => void,
) {
  const byName = labelIdsByName(labels);
  const batches = createBatchBuilder(send);
  const windows = spans.map(({ firstFrame: first, lastFrame: last }) => ({ first, last }));
  const windowsOf = indexRanges(windows);
  let cutCount = 0;

  /** Splits a track into segments, one per job or task. */
  function trackRows(track: Track): TrackBatchRow[] {
    const stored = storedTrack(track, byName);
    const { pieces, isCut } = cutForJobs(stored, windows, windowsOf);
    const [first] = pieces;
    if (!first || !isCut || !areOfOneTask) return pieces.map(({ index, piece }) => trackRow(piece, index));
    cutCount += 1;
    const origin = cutCount;
    const whole = trackRow(stored, first.index, { origin, pieceCount: pieces.length });
    return [whole, ...pieces.map(({ index, piece }) => trackRow(piece, index, { origin }))];
  }

  return {
    addShape(shape: LabeledShape): void {
      const { frame } = shape;
      const label = idsOf(shape.label, byName);
      const elements = shape.elements?.map((element) =>
        shapeFields(element, known(element, idsOf(element.label, label.sublabels), frame)),
      );
      batches.addShape(shapeFields(shape, known(shape, label, frame)), elements ?? none);
    },
    addTag: (tag: Tag): void => batches.addTag(tagRow(tag, known(tag, idsOf(tag.label, byName), tag.frame))),
    addTrack: (track: Track): void => batches.addTracks(trackRows(track)),
    end: batches.end,
  };
}

/** Copies objects on frames of a validation pool to its honeypots. Such tasks have no tracks. */
export function withPool(sink: AnnotationSink, honeypots: readonly Honeypot[], report: FormatReport): AnnotationSink {
  const repeats = new Set(honeypots.map(({ frame }) => frame));
  const copiesOf = Map.groupBy(honeypots, ({ real_frame: real }) => real);
  const copying =
    <Item extends { readonly frame: number }>(add: (item: Item) => void) =>
    (item: Item): void => {
      if (repeats.has(item.frame)) return;
      add(item);
      for (const { frame } of copiesOf.get(item.frame) ?? []) add(onFrame(item, frame));
    };
  return {
    ...sink,
    addShape: copying(sink.addShape),
    addTag: copying(sink.addTag),
    addTrack: ({ label }) => report.dropped('track', label, 'A task with a validation pool has no tracks.'),
  };
}

function idsOf(name: string, from: ReadonlyMap<string, LabelIds>): LabelIds {
  const label = from.get(name);
  if (!label) throw new Error(`The label ${name} passed the checks but is unknown.`);
  return label;
}

const attributeIds = (label: LabelIds, attributes: readonly Attribute[]): AttributeValue[] =>
  attributes.flatMap(({ name, value }) => {
    const spec = label.attributes.get(name);
    return spec === undefined ? [] : [{ spec_id: spec, value }];
  });

const known = ({ attributes }: Pick<Tag, 'attributes'>, label: LabelIds, frame: number) => ({
  frame,
  labelId: label.id,
  attributes: attributes.length === 0 ? null : packAttributes(attributeIds(label, attributes)),
});

function storedTrack(track: Track, from: ReadonlyMap<string, LabelIds>): StoredTrack {
  const label = idsOf(track.label, from);
  const shapes = track.shapes
    .toSorted((a, b) => a.frame - b.frame)
    .map(({ type, frame, occluded, outside, z_order, rotation = 0, points, attributes }) => ({
      type,
      frame,
      occluded,
      outside,
      z_order,
      rotation,
      points: [...points],
      attributes: attributeIds(label, attributes),
    }));
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

function trackRow(
  track: PartOfPiece & { elements?: PartOfPiece[] },
  target: number,
  cut: Pick<TrackBatchRow, 'origin' | 'pieceCount'> = {},
): TrackBatchRow {
  const { frame, label_id: labelId, attributes, shapes, elements = [] } = track;
  const { pieceCount } = cut;
  const ofElements = pieceCount === undefined ? {} : { pieceCount };
  return {
    ...cut,
    ...tagRow(track, { frame, labelId, attributes: packAttributes(attributes) }),
    target,
    shapes: shapes.map((shape) =>
      keyframeRow(shape, { frame: shape.frame, attributes: packAttributes(shape.attributes) }),
    ),
    elements: elements.map((element) => trackRow(element, target, ofElements)),
  };
}
