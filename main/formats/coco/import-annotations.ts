import { signedPolygonArea } from '../../../preload/contract/geometry.ts';
import { LabelError } from '../annotation-checks.ts';
import { rebuildTrack, TrackConflictError } from '../io/track-rebuilder.ts';
import { SkippedLabelError } from '../label-mapping.ts';
import type { FormatReport } from '../report.ts';
import type { Attribute, LabeledShape, TaskData } from '../task-data.ts';
import { AppError } from '../../platform/errors.ts';
import type { UnmatchedImage } from './coco-images.ts';
import { brief, type CocoAnnotation, CocoError, isFiniteNumber, isRecord } from './coco-records.ts';
import type { CocoLabel, CocoTables } from './coco-tables.ts';
import { noAttributes, type ReadAttributes, readAttributes } from './read-attributes.ts';
import { type Outline, readOutline } from './read-segmentation.ts';

export interface AnnotationImporterOptions {
  readonly file: string;
  readonly task_data: TaskData;
  readonly report: FormatReport;
  /** Next free group number; groups are numbered through all files of one import. */
  readonly nextGroup: () => number;
}

export interface AnnotationImporter {
  add(items: readonly unknown[], firstIndex: number, tables: CocoTables): void;
  /** Tracks and the report's counts: after the last annotation. */
  finish(): void;
}

interface TrackShapes {
  readonly label: CocoLabel;
  readonly at: string;
  readonly shapes: LabeledShape[];
}

const unmatchedRule = 'Its image fits no frame of the task.';
const crowd: Attribute = { name: 'is_crowd', value: 'true' };

/**
 * Shares of a stated area that belong to the parts of a polygon list, by the parts' own sizes. Summed up in order they
 * give exactly the stated number, so that it comes back unchanged when the parts are joined again.
 */
export function splitArea(area: number, parts: readonly (readonly number[])[]): number[] {
  const sizes = parts.map((part) => Math.abs(signedPolygonArea(part)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const shares: number[] = [];
  let given = 0;
  for (const size of sizes.slice(0, -1)) {
    // Whole numbers below 2⁵³ add and subtract exactly, so the last share closes the sum without a rounding error.
    const share = Math.floor(total > 0 ? (area * size) / total : area / parts.length);
    shares.push(share);
    given += share;
  }
  const rest = area - given;
  return given + rest === area ? [...shares, rest] : [area, ...sizes.slice(1).map(() => 0)];
}

export function createAnnotationImporter(options: AnnotationImporterOptions): AnnotationImporter {
  const { file, task_data, report, nextGroup } = options;
  const usedLabels = new Set<CocoLabel>();
  const tracks = new Map<string, TrackShapes>();

  /** Place of the annotation's image. Ids may be numbers on one side and texts on the other. */
  const imageOf = (id: unknown, { images }: CocoTables): number => {
    const place = images.find(id);
    if (place >= 0) return place;
    const other = images.find(typeof id === 'string' ? Number(id) : String(id));
    if (other < 0) throw new CocoError('image_id', `is ${brief(id)}, which no entry of "images" has`);
    return other;
  };

  const labelOf = (annotation: CocoAnnotation, tables: CocoTables): CocoLabel => {
    const id = annotation.category_id;
    const label = tables.labels.get(id) ?? (typeof id === 'string' ? tables.labels.get(Number(id)) : tables.labels.get(String(id)));
    if (!label) throw new CocoError('category_id', `is ${brief(id)}, which no entry of "categories" has`);
    usedLabels.add(label);
    return label;
  };

  const reportUnmatched = (image: UnmatchedImage | undefined, label: CocoLabel): void => {
    report.lost('annotation', label.name, unmatchedRule);
    if (!image || image.reported) return;
    image.reported = true;
    report.bad(file, `images[${image.index}]`, `no frame of the task fits ${brief(image.name)}; its annotations were left out`);
  };

  /** Adds one shape, or keeps it for its track. */
  const put = (shape: LabeledShape, label: CocoLabel, attributes: ReadAttributes, at: string): void => {
    if (attributes.trackId === undefined || attributes.keyframe === undefined) {
      task_data.add_shape(shape);
      if (shape.type === 'rectangle' || shape.type === 'polygon' || shape.type === 'mask') label.carried[shape.type] += 1;
      return;
    }
    const key = `${attributes.trackId} ${label.name}`;
    const track = tracks.get(key);
    if (track) track.shapes.push(shape);
    else tracks.set(key, { label, at, shapes: [shape] });
  };

  const ownAttributes = (read: ReadAttributes, annotation: CocoAnnotation, label: CocoLabel): readonly Attribute[] => {
    for (const name of read.unusable) report.lost('attribute', label.name, `The value of attribute "${name}" is a list or an object.`);
    const isCrowd = annotation.iscrowd === 1 || annotation.iscrowd === true;
    if (!isCrowd || !label.hasCrowdAttribute) return read.own;
    return [...read.own.filter(({ name }) => name !== crowd.name), crowd];
  };

  const shapesOf = (annotation: CocoAnnotation, outline: Outline, frame: number, label: CocoLabel, read: ReadAttributes): LabeledShape[] => {
    const area = isFiniteNumber(annotation.area) && annotation.area >= 0 ? annotation.area : undefined;
    const parts = outline.type === 'polygon' ? outline.parts : [outline.points];
    const group = parts.length > 1 ? nextGroup() : 0;
    const areas = area === undefined || parts.length === 1 ? [area] : splitArea(area, parts);
    const attributes = ownAttributes(read, annotation, label);
    const score = isFiniteNumber(annotation.score) && annotation.score >= 0 && annotation.score <= 1 ? annotation.score : undefined;
    return parts.map((points, index) => {
      const partArea = areas[index];
      return {
        type: outline.type,
        frame,
        label: label.name,
        points,
        occluded: read.occluded,
        attributes,
        group,
        z_order: read.zOrder,
        ...(partArea === undefined ? undefined : { area: partArea }),
        ...(score === undefined ? undefined : { score }),
        ...(read === noAttributes ? undefined : extrasOf(outline, read)),
      };
    });
  };

  const importOne = (value: unknown, index: number, tables: CocoTables): void => {
    if (!isRecord(value)) throw new CocoError('', `must be an object, but is ${brief(value)}`);
    const annotation: CocoAnnotation = value;
    const image = imageOf(annotation.image_id, tables);
    const frame = tables.images.frame(image);
    const label = labelOf(annotation, tables);
    if (label.refusal !== undefined) report.lost('annotation', label.name, label.refusal);
    else if (frame < 0) reportUnmatched(tables.images.unmatched(image), label);
    else {
      const outline = readOutline(annotation.segmentation, annotation.bbox, () => tables.images.size(image));
      const read = readAttributes(annotation.attributes);
      if (outline.type === 'polygon') for (const problem of outline.problems) reportBad(problem, index);
      // A list of polygons cannot be one shape of a track: each part would be a second shape on its frame.
      const isTracked = outline.type !== 'polygon' || outline.parts.length === 1;
      for (const shape of shapesOf(annotation, outline, frame, label, read)) {
        put(shape, label, isTracked ? read : noAttributes, `annotations[${index}]`);
      }
      if (Array.isArray(annotation.keypoints) && annotation.keypoints.some((number) => number !== 0)) {
        report.lost('skeleton', label.name, 'COCO 1.0 reads boxes, polygons and masks; import the file as COCO Keypoints 1.0 to have its keypoints.');
      }
    }
  };

  const reportBad = (error: CocoError, index: number): void => {
    const path = error.at === '' || error.at.startsWith('[') ? error.at : `.${error.at}`;
    report.bad(file, `annotations[${index}]${path}`, error.message);
  };

  const handle = (error: unknown, value: unknown, index: number, tables: CocoTables): void => {
    if (error instanceof CocoError) reportBad(error, index);
    else if (error instanceof LabelError || error instanceof SkippedLabelError) {
      const label = tables.labels.get(isRecord(value) ? value['category_id'] : undefined);
      if (label) label.refusal = error.message;
      report.lost('annotation', label?.name ?? '', error.message);
    } else if (error instanceof AppError && error.code === 'invalid') report.bad(file, `annotations[${index}]`, error.message);
    else throw error;
  };

  const finishTrack = ({ label, at, shapes }: TrackShapes): void => {
    try {
      const hasFrame = (frame: number): boolean => task_data.frame_info(frame) !== undefined;
      task_data.add_track(rebuildTrack(shapes, { label: task_data.label(label.name), hasFrame }));
      report.carried('track', label.name);
    } catch (error) {
      if (error instanceof LabelError || error instanceof SkippedLabelError) report.lost('track', label.name, error.message);
      else if (error instanceof TrackConflictError) {
        report.bad(file, at, `${error.message} The shapes of the track were kept as single shapes.`);
        for (const shape of shapes) put(shape, label, noAttributes, at);
      } else if (error instanceof AppError && error.code === 'invalid') report.bad(file, at, error.message);
      else throw error;
    }
  };

  return {
    add(items, firstIndex, tables) {
      for (let offset = 0; offset < items.length; offset += 1) {
        try {
          importOne(items[offset], firstIndex + offset, tables);
        } catch (error) {
          handle(error, items[offset], firstIndex + offset, tables);
        }
      }
    },
    finish() {
      for (const track of tracks.values()) finishTrack(track);
      for (const { name, carried } of usedLabels) {
        for (const [type, count] of Object.entries(carried)) if (count > 0) report.carried(type, name, count);
      }
    },
  };
}

/** Fields that only files with an `attributes` object have. */
function extrasOf(outline: Outline, read: ReadAttributes): Partial<LabeledShape> {
  return {
    ...(outline.type === 'rectangle' && read.rotation !== 0 ? { rotation: ((read.rotation % 360) + 360) % 360 } : {}),
    ...(read.outside ? { outside: true } : {}),
    ...(read.source === undefined ? {} : { source: read.source }),
    ...(read.keyframe === undefined ? {} : { keyframe: read.keyframe }),
  };
}
