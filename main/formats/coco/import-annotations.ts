import { AppError } from '../../platform/errors.ts';
import { LabelError } from '../kit/annotation-checks.ts';
import { LeftOutError, SkippedLabelError } from '../kit/label-mapping.ts';
import type { FormatReport } from '../kit/report.ts';
import { createUnreadMembers } from '../kit/unread-members.ts';
import type { Attribute, LabeledShape, TaskData } from '../kit/task-data.ts';
import { shapesOf } from './annotation-shapes.ts';
import type { UnmatchedImage } from './coco-images.ts';
import { readCrowd } from './crowd.ts';
import { brief, RecordError, isRecord } from '../kit/records.ts';
import type { CocoLabel, CocoTables } from './coco-tables.ts';
import { readAttributes } from '../kit/read-attributes.ts';
import type { CocoAnnotation } from './fast/coco-annotation.ts';
import { DecimalPoints } from './fast/decimal-points.ts';
import { DecodedAnnotation, knownMembers } from './fast/decode-annotations.ts';
import { readOutline } from '../kit/read-outline.ts';
import { createTrackCollector } from './track-collector.ts';

export interface AnnotationImporterOptions {
  readonly file: string;
  readonly task_data: TaskData;
  readonly report: FormatReport;
  /** Returns the next free group number. Numbers are unique in one import, not only in one file. */
  readonly nextGroup: () => number;
  /** Place of a record for the report; default `annotations[17]`. */
  readonly placeOf?: (index: number) => string;
  /**
   * Reads a row with keypoints as a skeleton. Returns null for a row that was reported and is finished, undefined for a
   * row to read as a box, polygon or mask.
   */
  readonly readSkeleton?: (
    annotation: CocoAnnotation,
    frame: number,
    label: CocoLabel,
  ) => ReadSkeleton | null | undefined;
}

export interface ReadSkeleton {
  readonly shape: LabeledShape;
  readonly trackId: number | undefined;
}

const unmatchedRule = 'No frame of the task matches its image.';
const keypointsRule =
  'COCO 1.0 reads boxes, polygons and masks; import the file as COCO Keypoints 1.0 to have its keypoints.';
/** Flags of Objects365 beside the crowd: drawn objects and mirror images. They become attributes with these names. */
const marks = ['isfake', 'isreflected'];
const membersWithMarks: ReadonlySet<string> = new Set([...knownMembers, ...marks]);

function marksOf(
  others: Readonly<Record<string, unknown>> | undefined,
  own: readonly Attribute[],
): readonly Attribute[] {
  if (!others) return own;
  const set = marks.filter(
    (name) => (others[name] === 1 || others[name] === true) && !own.some((one) => one.name === name),
  );
  return set.length === 0 ? own : [...own, ...set.map((name): Attribute => ({ name, value: 'true' }))];
}

/** Copies a shape that outlives its batch, because the batch's numbers are reused. */
function keep(shape: LabeledShape): LabeledShape {
  const { fixed_points: _lent, ...fields } = shape;
  return { ...fields, points: shape.points };
}

/** Ids can be numbers in one table and strings in the other. Other types are never ids. */
function otherForm(id: unknown): unknown {
  if (typeof id === 'string') return Number(id);
  return typeof id === 'number' ? String(id) : undefined;
}

/** Index of the image that a row refers to. Throws `RecordError` if the file has no such image. */
export function imageOf({ image_id: id }: Pick<CocoAnnotation, 'image_id'>, { images }: CocoTables): number {
  const place = images.find(id);
  if (place >= 0) return place;
  const other = images.find(otherForm(id));
  if (other < 0) throw new RecordError('image_id', `is ${brief(id)}, which is not in "images"`);
  return other;
}

function labelOf({ category_id: id }: CocoAnnotation, { labels }: CocoTables): CocoLabel {
  const label = labels.get(id) ?? labels.get(otherForm(id));
  if (!label) throw new RecordError('category_id', `is ${brief(id)}, which is not in "categories"`);
  return label;
}

export function createAnnotationImporter(options: AnnotationImporterOptions) {
  const { file, task_data, report, nextGroup, readSkeleton } = options;
  const { placeOf = (index: number) => `annotations[${index}]` } = options;
  const usedLabels = new Set<CocoLabel>();
  const reportUnread = createUnreadMembers(report, readSkeleton ? knownMembers : membersWithMarks);

  const addSingle = (shape: LabeledShape, label: CocoLabel): void => {
    task_data.add_shape(shape);
    usedLabels.add(label);
    const { type } = shape;
    if (type === 'rectangle' || type === 'polygon' || type === 'mask' || type === 'skeleton') label.included[type] += 1;
  };
  const tracks = createTrackCollector({ file, task_data, report, addSingle });

  const reportBad = (error: RecordError, index: number): void => {
    report.invalid(file, `${placeOf(index)}${error.at === '' ? '' : `.${error.at}`}`, error.message);
  };

  const reportUnmatched = (image: UnmatchedImage | undefined, label: CocoLabel): void => {
    report.dropped('annotation', label.name, unmatchedRule);
    if (!image || image.reported) return;
    image.reported = true;
    const reason = `no frame of the task matches ${brief(image.name)}; its annotations were left out`;
    report.invalid(file, `images[${image.index}]`, reason);
  };

  const importOne = (value: unknown, index: number, tables: CocoTables): void => {
    if (!isRecord(value)) throw new RecordError('', `must be an object, but is ${brief(value)}`);
    const annotation: CocoAnnotation = value;
    const image = imageOf(annotation, tables);
    const label = labelOf(annotation, tables);
    if (label.refusal !== undefined) {
      report.dropped('annotation', label.name, label.refusal);
      return;
    }
    const frame = tables.images.frame(image);
    if (frame < 0) {
      reportUnmatched(tables.images.unmatched(image), label);
      return;
    }
    const others = value instanceof DecodedAnnotation ? value.others : value;
    if (others) reportUnread(others, label.name);
    const skeleton = readSkeleton?.(annotation, frame, label);
    if (skeleton) {
      if (skeleton.trackId === undefined) addSingle(skeleton.shape, label);
      else tracks.add(skeleton.trackId, skeleton.shape, label, placeOf(index));
    }
    if (skeleton !== undefined) return;
    const { segmentation } = annotation;
    const outline =
      segmentation instanceof DecimalPoints
        ? segmentation
        : readOutline(segmentation, annotation.bbox, () => tables.images.size(image));
    const fields = readAttributes(annotation.attributes);
    const own = readCrowd(fields, annotation, (problem) => report.dropped('attribute', label.name, problem));
    const attributes = readSkeleton ? own : marksOf(others, own);
    const shapes = shapesOf({ annotation, outline, frame, label: label.name, fields, attributes }, nextGroup, (rule) =>
      report.dropped('attribute', label.name, rule),
    );
    // A polygon list cannot be one shape of a track: each part would be a second shape on its frame.
    const trackId = shapes.length === 1 && fields.keyframe !== undefined ? fields.trackId : undefined;
    for (const shape of shapes) {
      if (trackId === undefined) addSingle(shape, label);
      else tracks.add(trackId, keep(shape), label, placeOf(index));
    }
    if ('problems' in outline) for (const problem of outline.problems) reportBad(problem, index);
    if (!readSkeleton && Array.isArray(annotation.keypoints) && annotation.keypoints.some((number) => number !== 0)) {
      report.dropped('skeleton', label.name, keypointsRule);
    }
  };

  const handle = (error: unknown, value: unknown, index: number, tables: CocoTables): void => {
    if (error instanceof RecordError) reportBad(error, index);
    else if (error instanceof LabelError || error instanceof SkippedLabelError) {
      // An annotation gets this far only if its category was found.
      const label = labelOf(value as CocoAnnotation, tables);
      label.refusal = error.message;
      report.dropped('annotation', label.name, error.message);
    } else if (error instanceof LeftOutError) {
      report.dropped('annotation', labelOf(value as CocoAnnotation, tables).name, error.message);
    } else if (error instanceof AppError && error.code === 'invalid') {
      report.invalid(file, placeOf(index), error.message);
    } else throw error;
  };

  return {
    add(items: readonly unknown[], firstIndex: number, tables: CocoTables): void {
      for (let offset = 0; offset < items.length; offset += 1) {
        try {
          importOne(items[offset], firstIndex + offset, tables);
        } catch (error) {
          handle(error, items[offset], firstIndex + offset, tables);
        }
      }
    },
    /** Adds tracks and counts to the report. Call it after the last annotation. */
    finish(): void {
      tracks.finish();
      for (const { name, included } of usedLabels) {
        for (const [type, count] of Object.entries(included)) if (count > 0) report.included(type, name, count);
      }
    },
  };
}
