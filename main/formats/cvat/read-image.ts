import type { AnnotationAdder } from '../kit/add-annotation.ts';
import type { XmlAttributes } from '../io/xml-reader.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, LabeledShape, TaskData } from '../kit/task-data.ts';
import { parseNumber } from './geometry.ts';
import { readGroup, readShape, type ShapeDraft } from './read-shape.ts';
import { taskFrame } from '../kit/find-frame.ts';

/** Matching of `image` elements to frames. */
export type ImageMatching = 'by-name' | 'by-number';

export interface ImageReaderOptions {
  readonly file: string;
  readonly task_data: TaskData;
  readonly report: FormatReport;
  readonly matching: ImageMatching;
  /** Subset of images without a `subset` attribute. */
  readonly subset: string | undefined;
  readonly add: AnnotationAdder;
}

interface OpenImage {
  readonly name: string;
  readonly line: number;
  readonly frame: number | null;
  objects: number;
}

const maxRemembered = 10_000;

/** Reads the content of `image` elements and, in old files, the tags beside them. */
export function createImageReader({ file, task_data, report, matching, subset: ownSubset, add }: ImageReaderOptions) {
  const unmatchedWithObjects: OpenImage[] = [];
  let image: OpenImage | undefined;
  let matched = 0;
  let unmatched = 0;
  let forgotten = 0;
  let otherSize = 0;

  const findFrame = (attributes: XmlAttributes): number | null => {
    const name = attributes['name'] ?? '';
    if (matching === 'by-number' || name === '') return taskFrame(task_data, attributes['id']);
    const subset = attributes['subset'] ?? ownSubset;
    return task_data.match_frame(subset === undefined ? { name, near: file } : { name, subset, near: file });
  };

  const compareSize = (attributes: XmlAttributes, frame: number): void => {
    const info = task_data.frame_info(frame);
    const width = parseNumber(attributes['width'] ?? '');
    const height = parseNumber(attributes['height'] ?? '');
    if (!info || info.width === 0 || !(width > 0) || !(height > 0)) return;
    if (width !== info.width || height !== info.height) otherSize += 1;
  };

  const elementOf = (draft: ShapeDraft, frame: number): LabeledShape | undefined => {
    const fields = readShape(draft);
    const label = draft.attributes['label'];
    const group = readGroup(draft.attributes);
    if (typeof fields !== 'string' && label !== undefined && !Number.isNaN(group)) {
      return { ...fields, frame, label, group, source: 'file' };
    }
    const reason =
      typeof fields === 'string' ? fields : label === undefined ? '"label" is missing' : '"group_id" is not a group';
    report.invalid(file, `line ${draft.line}`, `${draft.type} of a skeleton: ${reason}`);
    return undefined;
  };

  const bad = (line: number, type: string, reason: string): void =>
    report.invalid(file, `line ${line}`, `${type}: ${reason}`);

  return {
    get isOpen() {
      return image !== undefined;
    },
    get matched() {
      return matched;
    },
    get unmatched() {
      return unmatched;
    },
    open(attributes: XmlAttributes, line: number) {
      const frame = findFrame(attributes);
      image = { name: attributes['name'] ?? attributes['id'] ?? '', line, frame, objects: 0 };
      if (frame === null) {
        unmatched += 1;
        return;
      }
      matched += 1;
      compareSize(attributes, frame);
    },
    close() {
      if (image && image.frame === null && image.objects > 0) {
        if (unmatchedWithObjects.length < maxRemembered) unmatchedWithObjects.push(image);
        else forgotten += 1;
      }
      image = undefined;
    },
    shape(draft: ShapeDraft) {
      if (!image) return;
      const { frame } = image;
      image.objects += 1;
      if (frame === null) return;
      const label = draft.attributes['label'];
      const group = readGroup(draft.attributes);
      if (label === undefined) return bad(draft.line, draft.type, '"label" is missing');
      if (Number.isNaN(group)) return bad(draft.line, draft.type, '"group_id" is not a group');
      const fields = readShape(draft);
      if (typeof fields === 'string') return bad(draft.line, draft.type, fields);
      const { type, points, occluded, z_order, rotation, attributes } = fields;
      const shape = { type, frame, label, points, occluded, z_order, group, source: 'file', attributes } as const;
      const turned: LabeledShape = rotation === undefined ? shape : { ...shape, rotation };
      if (type !== 'skeleton') return add.shape(turned, draft.line);
      const elements = draft.elements.flatMap((element) => elementOf(element, frame) ?? []);
      add.shape({ ...turned, elements }, draft.line);
    },
    /** A tag in the open image or, in old files, beside the images with its own `frame`. */
    tag(attributes: XmlAttributes, list: readonly Attribute[], line: number) {
      if (!image && matching === 'by-number') return;
      if (image) image.objects += 1;
      if (image?.frame === null) return;
      const frame = image ? image.frame : taskFrame(task_data, attributes['frame']);
      const label = attributes['label'];
      const group = readGroup(attributes);
      if (frame === null || frame === undefined) return bad(line, 'tag', 'it names no frame of the task');
      if (label === undefined) return bad(line, 'tag', '"label" is missing');
      if (Number.isNaN(group)) return bad(line, 'tag', '"group_id" is not a group');
      add.tag({ frame, label, group, source: 'file', attributes: list }, line);
    },
    /** Called once at the end, unless the file is read again. */
    finish() {
      for (const { name, line, objects } of unmatchedWithObjects) {
        report.invalid(
          file,
          `line ${line}`,
          `image "${name}" is not in the task: its ${objects} objects were left out`,
        );
      }
      if (forgotten > 0) report.warn(`${file}: ${forgotten} more images with objects are not in the task.`);
      if (otherSize > 0)
        report.warn(
          `${file}: ${otherSize} images have another size in the file than in the task; their coordinates were not scaled.`,
        );
    },
  };
}
