import { boxOfPoints } from '../../../../preload/geometry/geometry.ts';
import type { Source } from '../../io/source.ts';
import { type AnnotationAdder, createAnnotationAdder, createGroupNumbers, plainShape } from '../add-annotation.ts';
import type { DatasetReader } from '../define-format.ts';
import { findFrame } from '../find-frame.ts';
import { type JsonElement, type JsonRecord, readJsonRecord } from '../json-document.ts';
import { createMaskAdder, type MaskAdder, type MaskFields } from '../mask-files/add-masks.ts';
import { evenOddMask, ringsToMask } from '../mask-files/shape-mask.ts';
import { createSizeWatch } from '../mask-files/size-watch.ts';
import type { ImportOptions } from '../plugin.ts';
import { brief, isFiniteNumber, isRecord, RecordError, reportRecord } from '../records.ts';
import type { FormatReport } from '../report.ts';
import type { FrameInfo, TaskData } from '../task-data.ts';
import { createUnreadMembers, createUnreadOfImages } from '../unread-members.ts';
import { imageNames, readImageFiles, subsetOfPath } from './read-image-files.ts';

export interface ImageDocument {
  /** Path of the image, if the document states it. */
  readonly image?: unknown;
  /** Candidate names of the image, most likely first, if they do not follow from `image` and the path. */
  readonly names?: readonly string[];
  readonly width?: unknown;
  readonly height?: unknown;
  readonly objects: readonly JsonElement[];
}

export interface ObjectPlace {
  readonly path: string;
  readonly at: string;
  readonly frame: FrameInfo;
  readonly add: AnnotationAdder;
  readonly masks: MaskAdder;
  /** Group number, unique in the import. `scope` separates equal groups of two documents. */
  readonly groupOf: (scope: string, group: unknown) => number;
  /** Reports members that have no counterpart in a task. */
  readonly noteUnread: (record: Readonly<Record<string, unknown>>, label: string) => void;
  readonly report: FormatReport;
  readonly task_data: TaskData;
}

export interface DocumentObjects {
  /** Members of an object that are read or that follow from others. */
  readonly members: ReadonlySet<string>;
  /** Members of a document that identify its image or hold the objects. */
  readonly imageMembers: ReadonlySet<string>;
  /** Adds one object. Throws `RecordError` if it cannot be used. */
  readonly addObject: (object: Readonly<Record<string, unknown>>, place: ObjectPlace) => void | Promise<void>;
}

export interface ImageDocumentFormat extends DocumentObjects {
  /** Requirement of the format, for the message that rejects other datasets. */
  readonly needs: string;
  /** Selects entries that may be such documents. Default: JSON. */
  readonly isFile?: (path: string) => boolean;
  readonly lists: readonly string[];
  /** Called once per import before the documents, to read shared files. */
  readonly prepare?: (source: Source, task_data: TaskData, options: ImportOptions) => Promise<void>;
  /** The document's image data; null if it is of another format. */
  readonly documentOf: (record: JsonRecord, path: string) => ImageDocument | null;
  /** Image data of an element, for a file that is a list of documents. */
  readonly elementOf?: (element: Readonly<Record<string, unknown>>) => ImageDocument | null;
  /** Subset of a document. Default: its first folder. */
  readonly subsetOf?: (path: string) => string;
}

/** Adds the objects of documents, for all kinds of readers. */
export function createDocumentAdder(format: DocumentObjects, task_data: TaskData, options: ImportOptions) {
  const { report } = options;
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report, { files: 'files', kept: 'their coordinates' });
  const groupOf = createGroupNumbers(masks.nextGroup);
  const noteUnread = createUnreadMembers(report, format.members);
  const unreadOfImages = createUnreadOfImages(report, format.imageMembers);
  return {
    noteImage: unreadOfImages.note,
    noteDocument: unreadOfImages.noteDocument,
    /** `path` is the file's; `at` is the document's place in it, '' if the file is the document. */
    async add(path: string, at: string, document: ImageDocument, subset: string): Promise<void> {
      const { image, objects, width, height } = document;
      if (objects.length === 0) return;
      const names = document.names ?? imageNames(path, image);
      const frame = findFrame(task_data, names, subset, path);
      if (!frame) {
        const name = names[0]?.slice(0, 200) ?? '';
        const where = at === '' ? 'the image' : at;
        report.invalid(path, where, `"${name}" is not in the task: its ${objects.length} objects were left out`);
        return;
      }
      if (isFiniteNumber(width) && isFiniteNumber(height)) sizes.compare(path, { width, height }, frame);
      const add = createAnnotationAdder(task_data, report, path);
      const shared = { path, frame, add, masks, groupOf, noteUnread, report, task_data };
      for (const { at: inside, value } of objects) {
        const place = at === '' ? inside : `${at}.${inside}`;
        try {
          if (!isRecord(value)) throw new RecordError('', `must be an object, but is ${brief(value)}`);
          await format.addObject(value, { ...shared, at: place });
        } catch (error) {
          reportRecord(report, path, place, error);
        }
      }
    },
    finish(): void {
      sizes.finish();
      unreadOfImages.finish();
    },
  };
}

/** Creates a reader of datasets with one JSON document per image. */
export const imageDocumentReader =
  (format: ImageDocumentFormat): DatasetReader =>
  async (source, task_data, options) => {
    const { report, signal } = options;
    const adder = createDocumentAdder(format, task_data, options);
    const subsetOf = format.subsetOf ?? subsetOfPath;
    await format.prepare?.(source, task_data, options);

    const read = async (path: string): Promise<boolean> => {
      const record = await readJsonRecord(source, path, { lists: format.lists, report, signal });
      if (record.problem !== undefined) report.invalid(path, 'the JSON', record.problem);
      const elements = record.lists.get('');
      if (format.elementOf && elements) {
        let found = 0;
        for (const { at, value } of elements) {
          try {
            const document = isRecord(value) ? format.elementOf(value) : null;
            if (!isRecord(value) || !document) throw new RecordError('', 'is of another format');
            adder.noteImage(value);
            await adder.add(path, at, document, subsetOf(path));
            found += 1;
          } catch (error) {
            reportRecord(report, path, at, error);
          }
        }
        return found > 0;
      }
      const document = format.documentOf(record, path);
      if (document) {
        adder.noteDocument(record);
        await adder.add(path, '', document, subsetOf(path));
      } else if (record.problem === undefined) report.warn(`${path} was left out: it is of another format.`);
      return document !== null;
    };

    await readImageFiles(source, task_data, options, { ...format, read });
    adder.finish();
  };

/** Adds a ring with holes as a mask, and one without as a polygon. Throws `RecordError` if no area remains. */
export function addRings(
  { add, masks, frame, at }: ObjectPlace,
  [outer = [], ...holes]: readonly (readonly number[])[],
  fields: MaskFields,
  where: string,
): void {
  if (holes.length === 0) return add.shape(plainShape({ ...fields, type: 'polygon', points: outer }), at);
  if (!(frame.width > 0 && frame.height > 0))
    throw new RecordError(where, 'has holes, and a mask needs the size of the image, which is not known');
  const mask = ringsToMask(outer, holes, frame);
  if (!mask) throw new RecordError(where, 'has no pixel in the image');
  return masks.add(add, mask, fields, at);
}

/** True if the boxes of two rings share a pixel: only then can one be a hole of the other. */
function touch(a: readonly number[], b: readonly number[]): boolean {
  const [first, second] = [boxOfPoints(a), boxOfPoints(b)];
  if (!first || !second) return false;
  const apart = first.right <= second.left || second.right <= first.left;
  return !apart && first.bottom > second.top && second.bottom > first.top;
}

/**
 * Adds rings by the even-odd rule. Disjoint rings become polygons of one group, others become one mask. Throws
 * `RecordError` if no area remains.
 */
export function addEvenOddRings(
  { add, masks, frame, at }: ObjectPlace,
  rings: readonly (readonly number[])[],
  { group = 0, ...fields }: MaskFields,
  where: string,
): void {
  const areApart = rings.every((ring, index) => !rings.slice(0, index).some((other) => touch(ring, other)));
  if (areApart) {
    const own = rings.length > 1 && group === 0 ? masks.nextGroup() : group;
    for (const points of rings) add.shape(plainShape({ ...fields, group: own, type: 'polygon', points }), at);
    return;
  }
  if (!(frame.width > 0 && frame.height > 0))
    throw new RecordError(where, 'has holes, and a mask needs the size of the image, which is not known');
  const mask = evenOddMask(rings, frame);
  if (!mask) throw new RecordError(where, 'has no pixel in the image');
  masks.add(add, mask, { ...fields, group }, at);
}

/** A required label. Throws `RecordError`. */
export function labelAt(value: unknown, at: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new RecordError(at, `must be a string, but is ${brief(value)}`);
}
