import { createAnnotationAdder } from '../kit/add-annotation.ts';
import type { XmlAttributes, XmlHandlers, XmlPosition } from '../io/xml-reader.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, TaskData } from '../kit/task-data.ts';
import { createUnreadMembers } from '../kit/unread-members.ts';
import { geometryNames, shapeTypeOfElement } from './geometry.ts';
import { createImageReader, type ImageMatching } from './read-image.ts';
import type { ShapeDraft } from './read-shape.ts';
import { createTrackReader, type TrackReader, type TrackSeriesReader } from './read-track.ts';

export interface CvatReaderOptions {
  readonly file: string;
  readonly task_data: TaskData;
  readonly report: FormatReport;
  /** `by-number` reads only images: the second pass over a file whose names matched no frame. */
  readonly matching: ImageMatching;
  /** Subset of images without a `subset` attribute. */
  readonly subset: string | undefined;
}

export interface CvatReader extends XmlHandlers {
  readonly rootName: string | undefined;
  readonly matchedImages: number;
  readonly unmatchedImages: number;
  /** Reports file-level results. Not called if the file is read again. */
  finish(): void;
}

const maxUnknownElements = 20;
const root = 'annotations';
/** Attributes of shapes, tags and tracks that are read or that only state the source. */
const knownAttributes: ReadonlySet<string> = new Set([
  ...geometryNames,
  ...'id label frame group_id z_order occluded outside keyframe rotation source'.split(' '),
]);
const textIn: ReadonlySet<string> = new Set(['attribute']);

/**
 * Reads CVAT XML 1.1 from XML events: images mode, video mode, both in one file, and older layouts (nested tracks for
 * skeletons, tags beside images, missing z_order, occluded, outside, keyframe or image size). Elements are identified
 * by name, never by position. Objects are added as soon as their element closes.
 */
export function createCvatReader({ file, task_data, report, matching, subset }: CvatReaderOptions): CvatReader {
  const add = createAnnotationAdder(task_data, report, file);
  const images = createImageReader({ file, task_data, report, matching, subset, add });
  const noteUnread = createUnreadMembers(report, knownAttributes);
  const shapes: ShapeDraft[] = [];
  let track: TrackReader | undefined;
  let elementTrack: TrackSeriesReader | undefined;
  let tag: { readonly attributes: XmlAttributes; readonly list: Attribute[]; readonly line: number } | undefined;
  let attribute: { readonly name: string; text: string } | undefined;
  let rootName: string | undefined;
  /** Depth of the element whose content is skipped (meta, unknown elements), 0 for none. */
  let skipDepth = 0;
  let unknown = 0;

  const reportUnknown = (name: string, line: number): void => {
    unknown += 1;
    if (unknown <= maxUnknownElements)
      report.warn(`${file}, line ${line}: the element <${name.slice(0, 100)}> is not known and was left out.`);
  };

  const openTrack = (attributes: XmlAttributes, line: number): void => {
    if (track) elementTrack = track.openElement(attributes, line);
    else track = createTrackReader({ file, task_data, report, add, attributes, line });
  };

  const open = (name: string, attributes: XmlAttributes, position: XmlPosition): void => {
    const { line, depth } = position;
    if (depth === 1) {
      rootName = name;
      if (name !== root) skipDepth = depth;
      return;
    }
    const type = shapeTypeOfElement.get(name);
    const inside = shapes.length > 0 || tag !== undefined;
    if (name === 'attribute' && inside && attribute === undefined)
      attribute = { name: attributes['name'] ?? '', text: '' };
    else if (attribute !== undefined) skipDepth = depth;
    else if (
      type !== undefined &&
      (shapes.length === 0 ? track !== undefined || images.isOpen : shapes.at(-1)?.type === 'skeleton')
    ) {
      noteUnread(attributes, attributes['label'] ?? track?.label ?? '');
      shapes.push({ type, attributes, list: [], elements: [], line });
    } else if (inside) {
      reportUnknown(name, line);
      skipDepth = depth;
    } else if (name === 'tag' && !track) {
      noteUnread(attributes, attributes['label'] ?? '');
      tag = { attributes, list: [], line };
    } else if (name === 'image' && depth === 2) images.open(attributes, line);
    else if (name === 'track' && !images.isOpen && !elementTrack && (track !== undefined || depth === 2)) {
      if (matching === 'by-number') skipDepth = depth;
      else {
        noteUnread(attributes, attributes['label'] ?? '');
        openTrack(attributes, line);
      }
    } else {
      if (name !== 'meta' && name !== 'version') reportUnknown(name, line);
      skipDepth = depth;
    }
  };

  const closeTrack = (): void => {
    (elementTrack ?? track)?.close();
    if (elementTrack) elementTrack = undefined;
    else track = undefined;
  };

  const closeAttribute = (): void => {
    const target = tag?.list ?? shapes.at(-1)?.list;
    if (attribute && target) target.push({ name: attribute.name, value: attribute.text });
    attribute = undefined;
  };

  const closeShape = (): void => {
    const draft = shapes.pop();
    const parent = shapes.at(-1);
    if (!draft) return;
    if (parent) parent.elements.push(draft);
    else if (track) (elementTrack ?? track).shape(draft);
    else if (images.isOpen) images.shape(draft);
  };

  return {
    open(name, attributes, position) {
      if (skipDepth === 0) open(name, attributes, position);
    },
    textIn,
    text(text) {
      if (skipDepth === 0 && attribute) attribute.text += text;
    },
    close(name, { depth }) {
      if (skipDepth > 0) {
        if (depth === skipDepth) skipDepth = 0;
        return;
      }
      if (attribute) closeAttribute();
      else if (shapes.length > 0) closeShape();
      else if (tag) {
        images.tag(tag.attributes, tag.list, tag.line);
        tag = undefined;
      } else if (name === 'track') closeTrack();
      else if (name === 'image') images.close();
    },
    get rootName() {
      return rootName;
    },
    get matchedImages() {
      return images.matched;
    },
    get unmatchedImages() {
      return images.unmatched;
    },
    finish: () => images.finish(),
  };
}
