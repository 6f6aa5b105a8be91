import { z } from 'zod';
import {
  annotationSourceSchema,
  shapeSchema,
  subShapeSchema,
  subTrackSchema,
  tagSchema,
  trackedShapeSchema,
} from '../../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { FormatReport } from '../../../formats/kit/report.ts';
import { AppError } from '../../../platform/errors.ts';
import { checkPoints } from '../../../work/annotations/annotation-rules.ts';
import { packAttributes } from '../../../work/annotations/annotation-rows.ts';
import { holdsFrame, type AnnotationBatch, type TrackBatchRow } from '../../bulk-writer/annotation-batch.ts';
import {
  createBatchBuilder,
  keyframeRow,
  shapeFields,
  tagRow,
  type ShapeFields,
} from '../../bulk-writer/batch-builder.ts';
import { labelIdsByName, type LabelIds } from '../../bulk-writer/label-ids.ts';
import type { PlacedJob } from './restored-task.ts';

/** Annotations as the API returns them, with labels and attributes by name. */
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
/** With the original track, if it was split over several jobs and no segment changed since. */
const backupTrack = backupWholeTrack.extend({
  origin: z.int().nonnegative().optional(),
  cut_from: backupWholeTrack.extend({ pieces: z.int().positive() }).optional(),
});

type BackupElement = z.output<typeof backupElement>;
type BackupWholeTrack = z.output<typeof backupWholeTrack>;
type BackupElementTrack = z.output<typeof backupElementTrack>;
type NamedValues = BackupElement['attributes'];

/** Range of the integer columns that transport shapes. */
const maxInteger = 2 ** 31 - 1;

/** Thrown for an object that cannot be restored. It is reported and dropped. */
class BadObject extends Error {}

/**
 * Sends the objects of `annotations.json` as rows, exactly as they were stored. Tracks that were split by job are not
 * split again.
 */
export function createBackupSink(
  labels: readonly Label[],
  report: FormatReport,
  send: (batch: AnnotationBatch) => void,
) {
  const byName = labelIdsByName(labels);
  const batches = createBatchBuilder(send);

  function attributesOf(values: NamedValues, label: LabelIds, name: string): string | null {
    const known = values.flatMap(({ name: attribute, value }) => {
      const spec = label.attributes.get(attribute);
      if (spec === undefined) report.dropped('attribute', name, `The label has no attribute "${attribute}".`);
      return spec === undefined ? [] : [{ spec_id: spec, value }];
    });
    return packAttributes(known);
  }
  const known = (one: { attributes: NamedValues; label: string }, label: LabelIds, frame: number) => ({
    frame,
    labelId: label.id,
    attributes: attributesOf(one.attributes, label, one.label),
  });

  function shapeRow(shape: BackupElement, label: LabelIds, frame: number): ShapeFields {
    checkPoints(shape);
    if (Math.max(Math.abs(shape.z_order), shape.group ?? 0) > maxInteger) throw new BadObject('a number is too large');
    return shapeFields(shape, known(shape, label, frame));
  }

  function trackRow(
    track: BackupElementTrack,
    label: LabelIds,
    { offset, target }: { readonly offset: number; readonly target: number },
  ): Omit<TrackBatchRow, 'elements'> {
    for (const shape of track.shapes) checkPoints(shape);
    return {
      ...tagRow(track, known(track, label, track.frame + offset)),
      target,
      shapes: track.shapes.map((shape) =>
        keyframeRow(shape, {
          frame: shape.frame + offset,
          attributes: attributesOf(shape.attributes, label, track.label),
        }),
      ),
    };
  }

  const adders = {
    tags(value: unknown, job: PlacedJob): void {
      const tag = parsed(backupTag, value);
      requireFrame(tag.frame, job);
      batches.addTag(tagRow(tag, known(tag, labelOf(tag.label, byName), tag.frame + job.frameOffset)));
      report.included('tag', tag.label);
    },
    shapes(value: unknown, job: PlacedJob): void {
      const shape = parsed(backupShape, value);
      const label = labelOf(shape.label, byName);
      requireFrame(shape.frame, job);
      if ((shape.type === 'skeleton') !== shape.elements.length > 0) {
        throw new BadObject('its elements do not fit its type');
      }
      const frame = shape.frame + job.frameOffset;
      const elements = shape.elements.map((one) => shapeRow(one, labelOf(one.label, label.sublabels), frame));
      batches.addShape(shapeRow(shape, label, frame), elements);
      report.included(shape.type, shape.label);
    },
    tracks(value: unknown, job: PlacedJob, target: number): void {
      const track = parsed(backupTrack, value);
      const label = labelOf(track.label, byName);
      if (track.shapes.length === 0) throw new BadObject('it has no shapes');
      requireFrame(track.frame, { ...job, frames: null });
      const place = { offset: job.frameOffset, target };
      const rowOf = (one: BackupWholeTrack, cut: Pick<TrackBatchRow, 'origin' | 'pieceCount'>): TrackBatchRow => ({
        ...trackRow(one, label, place),
        ...cut,
        elements: one.elements.map((element) => ({
          ...trackRow(element, labelOf(element.label, label.sublabels), place),
          pieceCount: cut.pieceCount,
          elements: [],
        })),
      });
      const { origin, cut_from: whole } = track;
      const wholes = origin !== undefined && whole ? [rowOf(whole, { origin, pieceCount: whole.pieces })] : [];
      batches.addTracks([...wholes, rowOf(track, origin === undefined ? {} : { origin })]);
      report.included('track', track.label);
    },
  };

  return {
    /** `at` is the object's place in the backup. */
    add(kind: keyof typeof adders, value: unknown, job: PlacedJob, target: number, at: string): void {
      try {
        adders[kind](value, job, target);
      } catch (error) {
        const isBad = error instanceof BadObject || (error instanceof AppError && error.code === 'invalid');
        if (!isBad) throw error;
        report.invalid('annotations.json', at, error.message);
      }
    },
    end: batches.end,
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

function requireFrame(frame: number, job: PlacedJob): void {
  const isInside = holdsFrame(job, frame + job.frameOffset) && (job.frames === null || job.frames.has(frame));
  if (!isInside) throw new BadObject(`frame ${frame} is not one of its job`);
}
