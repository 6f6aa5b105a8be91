import { z } from 'zod';
import {
  annotationSourceSchema,
  shapeSchema,
  subShapeSchema,
  subTrackSchema,
  tagSchema,
  trackedShapeSchema,
} from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { encodePoints } from '../../db/points-codec.ts';
import type { FormatReport } from '../../formats/kit/report.ts';
import { AppError } from '../../platform/errors.ts';
import { checkPoints } from '../../work/annotations/annotation-rules.ts';
import { flagsOf, packAttributes, sourceCode, typeCode } from '../../work/annotations/annotation-rows.ts';
import type { AnnotationBatch, TagBatchRow, TrackBatchRow } from '../datasets/annotation-batch.ts';
import { createShapeBatchBuilder, type ShapeFields } from '../datasets/shape-batch-builder.ts';

/** As the service answers annotations, with labels and attributes by name. */
const named = {
  label: z.string(),
  attributes: z.array(z.object({ name: z.string(), value: z.string().max(4096) })).default([]),
  source: annotationSourceSchema.catch('manual'),
};
const omitted = { id: true, label_id: true } as const;
const backupTag = tagSchema.omit(omitted).extend(named);
const backupElement = subShapeSchema.omit(omitted).extend(named);
const backupShape = shapeSchema.omit(omitted).extend({
  ...named,
  elements: z.array(backupElement).default([]),
  area: z.number().optional(),
});
const backupKeyframe = trackedShapeSchema
  .omit({ id: true })
  .extend({ attributes: named.attributes, border: z.literal(true).optional().catch(undefined) });
const backupElementTrack = subTrackSchema.omit(omitted).extend({ ...named, shapes: z.array(backupKeyframe) });
const backupWholeTrack = backupElementTrack.extend({ elements: z.array(backupElementTrack).default([]) });
/** With what it was cut from, where that was several jobs' and no piece was changed since. */
const backupTrack = backupWholeTrack.extend({
  origin: z.int().nonnegative().optional(),
  cut_from: backupWholeTrack.extend({ pieces: z.int().positive() }).optional(),
});

type BackupTag = z.output<typeof backupTag>;
type BackupElement = z.output<typeof backupElement>;
type BackupWholeTrack = z.output<typeof backupWholeTrack>;
type BackupElementTrack = z.output<typeof backupElementTrack>;
type NamedValues = BackupTag['attributes'];

/** The frames of a job, and by how much they are moved: jobs that overlap get frames of their own. */
export interface SinkJob {
  readonly start: number;
  readonly stop: number;
  readonly frames: ReadonlySet<number> | null;
  readonly offset: number;
}

interface LabelIds {
  readonly id: number;
  readonly attributes: ReadonlyMap<string, number>;
  readonly sublabels: ReadonlyMap<string, LabelIds>;
}

type NamedLabel = Pick<Label, 'id' | 'name' | 'attributes'> & { readonly sublabels?: readonly NamedLabel[] };

const idsByName = (labels: readonly NamedLabel[]): Map<string, LabelIds> =>
  new Map(
    labels.map(({ id, name, attributes, sublabels }) => [
      name,
      { id, attributes: new Map(attributes.map((one) => [one.name, one.id])), sublabels: idsByName(sublabels ?? []) },
    ]),
  );

const smallBatch = 500;
/** Of the columns in which shapes travel between threads. */
const maxInteger = 2 ** 31 - 1;

/** An object that cannot be restored: it is left out and reported, the rest goes on. */
class BadObject extends Error {}

/** Rows of the store from objects of the backup. Each throws for an object that cannot be restored. */
function createRows(report: FormatReport) {
  function attributesOf(values: NamedValues, label: LabelIds, name: string): string | null {
    const known = values.flatMap(({ name: attribute, value }) => {
      const spec = label.attributes.get(attribute);
      if (spec === undefined) report.lost('attribute', name, `The label has no attribute "${attribute}".`);
      return spec === undefined ? [] : [{ spec_id: spec, value }];
    });
    return packAttributes(known);
  }

  return {
    tag({ frame, source, group, attributes, label: name }: BackupTag, label: LabelIds, offset: number): TagBatchRow {
      return {
        frame: frame + offset,
        labelId: label.id,
        source: sourceCode(source),
        group: group ?? 0,
        attributes: attributesOf(attributes, label, name),
      };
    },
    shape(shape: BackupElement & { area?: number | undefined }, label: LabelIds, frame: number): ShapeFields {
      checkPoints(shape);
      if (Math.max(Math.abs(shape.z_order), shape.group ?? 0) > maxInteger) {
        throw new BadObject('a number is too large');
      }
      return {
        frame,
        labelId: label.id,
        type: typeCode(shape.type),
        source: sourceCode(shape.source),
        flags: flagsOf(shape),
        zOrder: shape.z_order,
        group: shape.group ?? 0,
        rotation: shape.rotation,
        score: shape.score,
        area: shape.area,
        shape,
        attributes: attributesOf(shape.attributes, label, shape.label),
      };
    },
    track(track: BackupElementTrack, label: LabelIds, offset: number, target: number): Omit<TrackBatchRow, 'elements'> {
      for (const shape of track.shapes) checkPoints(shape);
      return {
        target,
        frame: track.frame + offset,
        labelId: label.id,
        source: sourceCode(track.source),
        group: track.group ?? 0,
        attributes: attributesOf(track.attributes, label, track.label),
        shapes: track.shapes.map((shape) => ({
          frame: shape.frame + offset,
          type: typeCode(shape.type),
          flags: flagsOf(shape),
          zOrder: shape.z_order,
          rotation: shape.rotation,
          points: encodePoints(shape.points),
          attributes: attributesOf(shape.attributes, label, track.label),
        })),
      };
    },
  };
}

/**
 * Takes the objects of `annotations.json` and sends them on as rows, exactly as they were stored. What was cut to jobs
 * when it was stored is not cut again.
 */
export function createBackupSink(
  labels: readonly Label[],
  report: FormatReport,
  send: (batch: AnnotationBatch) => void,
) {
  // Sublabels carry no further level.
  const byName = idsByName(labels as readonly NamedLabel[]);
  const rows = createRows(report);
  const shapes = createShapeBatchBuilder(send);
  let tags: TagBatchRow[] = [];
  let tracks: TrackBatchRow[] = [];

  function flushSmall(): void {
    if (tags.length > 0) send({ kind: 'tags', rows: tags });
    if (tracks.length > 0) send({ kind: 'tracks', rows: tracks });
    tags = [];
    tracks = [];
  }

  const adders = {
    tags(value: unknown, job: SinkJob): void {
      const tag = parsed(backupTag, value);
      requireFrame(tag.frame, job);
      tags.push(rows.tag(tag, labelOf(tag.label, byName), job.offset));
      report.carried('tag', tag.label);
    },
    shapes(value: unknown, job: SinkJob): void {
      const shape = parsed(backupShape, value);
      const label = labelOf(shape.label, byName);
      requireFrame(shape.frame, job);
      if ((shape.type === 'skeleton') !== shape.elements.length > 0) {
        throw new BadObject('its elements do not fit its type');
      }
      const frame = shape.frame + job.offset;
      const elements = shape.elements.map((one) => rows.shape(one, labelOf(one.label, label.sublabels), frame));
      shapes.add(rows.shape(shape, label, frame), elements);
      report.carried(shape.type, shape.label);
    },
    tracks(value: unknown, job: SinkJob, target: number): void {
      const track = parsed(backupTrack, value);
      const label = labelOf(track.label, byName);
      if (track.shapes.length === 0) throw new BadObject('it has no shapes');
      requireFrame(track.frame, { ...job, frames: null });
      const rowOf = (one: BackupWholeTrack, cut: Pick<TrackBatchRow, 'origin' | 'pieceCount'>): TrackBatchRow => ({
        ...rows.track(one, label, job.offset, target),
        ...cut,
        elements: one.elements.map((element) => ({
          ...rows.track(element, labelOf(element.label, label.sublabels), job.offset, target),
          ...(cut.pieceCount === undefined ? {} : { pieceCount: cut.pieceCount }),
          elements: [],
        })),
      });
      const { origin, cut_from: whole } = track;
      if (origin !== undefined && whole) tracks.push(rowOf(whole, { origin, pieceCount: whole.pieces }));
      tracks.push(rowOf(track, origin === undefined ? {} : { origin }));
      report.carried('track', track.label);
    },
  };

  return {
    /** `at` says where in the backup the object stands. */
    add(kind: keyof typeof adders, value: unknown, job: SinkJob, target: number, at: string): void {
      try {
        adders[kind](value, job, target);
      } catch (error) {
        const isBad = error instanceof BadObject || (error instanceof AppError && error.code === 'invalid');
        if (!isBad) throw error;
        report.bad('annotations.json', at, error.message);
      }
      if (tags.length + tracks.length >= smallBatch) flushSmall();
    },
    end(): void {
      shapes.flush();
      flushSmall();
      send({ kind: 'end' });
    },
  };
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new BadObject(`${issue?.path.join('.') || 'the object'}: ${issue?.message ?? 'not as it must be'}`);
}

function labelOf(name: string, from: ReadonlyMap<string, LabelIds>): LabelIds {
  const label = from.get(name);
  if (!label) throw new BadObject(`the label "${name}" is not one of the backup`);
  return label;
}

function requireFrame(frame: number, { start, stop, frames }: SinkJob): void {
  const isInside = frame >= start && frame <= stop && (frames === null || frames.has(frame));
  if (!isInside) throw new BadObject(`frame ${frame} is not one of its job`);
}
