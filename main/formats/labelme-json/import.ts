import type { Source } from '../io/source.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { type AnnotationAdder, createAnnotationAdder, createGroupNumbers } from '../kit/add-annotation.ts';
import { type JsonRecord, readJsonRecord } from '../kit/json-document.ts';
import { maskOfPicture } from '../kit/mask-files/read-classes.ts';
import { faultOf, isFiniteNumber, isRecord, RecordError, reportRecord } from '../kit/records.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { imageNames, readImageFiles, subsetOfPath } from '../kit/image-files/read-image-files.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import type { TaskData } from '../kit/task-data.ts';
import { createTrackShapes } from '../kit/track-shapes.ts';
import { createUnreadMembers, createUnreadOfImages } from '../kit/unread-members.ts';
import { type MaskOutline, type ReadShape, readLabelMeShape } from './read-shape.ts';

/** Keys that files without shapes have too. */
const signs = ['shapes', 'imagePath'];
/** Lists of X-AnyLabeling that do not describe shapes. */
const otherLists = ['chat_history', 'vqaData', 'tags'];

const imageMembers: ReadonlySet<string> = new Set([
  'version',
  'flags',
  'shapes',
  'imagePath',
  'imageData',
  'imageHeight',
  'imageWidth',
  'description',
  // Display colors in old files.
  'lineColor',
  'fillColor',
]);
const shapeMembers: ReadonlySet<string> = new Set([
  'label',
  'points',
  'group_id',
  'description',
  'shape_type',
  'flags',
  'mask',
  'difficult',
  'attributes',
  'occluded',
  'z_order',
  'score',
  'outside',
  'source',
  'track_id',
  'keyframe',
  // Reported separately, or derived from the points.
  'kie_linking',
  'direction',
  'line_color',
  'fill_color',
]);

/** Pixels of a mask in the image. Throws `RecordError` if there are none. */
async function maskPoints({ image, left, top }: MaskOutline): Promise<number[]> {
  try {
    const points = await maskOfPicture(image, [left, top]);
    if (points) return points;
    throw new RecordError('mask', 'has no pixel of the object');
  } catch (error) {
    throw new RecordError('mask', faultOf(error));
  }
}

/** Reads files of labelme and compatible programs: one JSON file per image. */
function createLabelMeReader(source: Source, task_data: TaskData, options: ImportOptions) {
  const { report, signal } = options;
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const tracks = createTrackShapes(task_data, report);
  const sizes = createSizeWatch(report, { files: 'files', kept: 'their coordinates' });
  const groupOf = createGroupNumbers(masks.nextGroup);
  const noteUnread = createUnreadMembers(report, shapeMembers);
  const unreadOfImages = createUnreadOfImages(report, new Set([...imageMembers, ...otherLists]));

  const addShape = async (
    add: AnnotationAdder,
    { label, outline, groupId, attributes, extra }: ReadShape,
    place: { readonly path: string; readonly at: string; readonly frame: number },
  ): Promise<void> => {
    const { path, at, frame } = place;
    const fields = { ...extra.fields, frame, label, attributes, group: groupOf(path, groupId) };
    if (outline.type === 'mask' && 'image' in outline) {
      const { keyframe: _keyframe, ...plain } = fields;
      masks.add(add, await maskPoints(outline), plain, at);
    } else if ('image' in outline) throw new Error('Only masks are images.');
    else if (extra.trackId !== undefined) tracks.add(extra.trackId, { ...fields, ...outline }, path, at);
    else add.shape({ ...fields, ...outline }, at);
  };

  const addTags = (add: AnnotationAdder, flags: unknown, frame: number): void => {
    if (!isRecord(flags)) return;
    for (const [label, isSet] of Object.entries(flags)) {
      // A flag that is not set still declares a label.
      if (isSet === false && label !== '') task_data.declare_label?.({ name: label });
      else if (isSet === true) add.tag({ frame, label, attributes: [], group: 0, source: 'file' }, `flags.${label}`);
    }
  };

  const noteOthers = (record: JsonRecord, path: string): void => {
    const { lists, values } = record;
    const others = otherLists.filter((name) => (lists.get(name)?.length ?? 0) > 0);
    if (others.length > 0) report.invalid(path, others.join(', '), 'a task has no field for it: it was left out');
    unreadOfImages.noteDocument(record);
    const description = values.get('description');
    if (typeof description === 'string' && description !== '')
      report.invalid(path, 'description', 'a frame has no description: it was left out');
  };

  return {
    /** Adds the objects of one file. Returns false if it is of another format. */
    async read(path: string): Promise<boolean> {
      const record = await readJsonRecord(source, path, { lists: ['shapes', ...otherLists], report, signal });
      const { values, lists, problem } = record;
      const isOurs = lists.has('shapes') || values.has('imagePath');
      if (problem !== undefined) report.invalid(path, 'the JSON', problem);
      if (!isOurs) {
        if (problem === undefined) report.warn(`${path} was left out: it has no ${signs.join(' and no ')}.`);
        return false;
      }
      noteOthers(record, path);
      const shapes = lists.get('shapes') ?? [];
      const flags = values.get('flags');
      const count = shapes.length + (isRecord(flags) ? Object.values(flags).filter((flag) => flag === true).length : 0);
      if (count === 0) {
        if (isRecord(flags))
          for (const name of Object.keys(flags)) if (name !== '') task_data.declare_label?.({ name });
        return true;
      }
      const names = imageNames(path, values.get('imagePath'));
      const info = findFrame(task_data, names, subsetOfPath(path), path);
      if (!info) {
        report.invalid(path, 'imagePath', notInTask(names[0]?.slice(0, 200) ?? '', count));
        return true;
      }
      const [width, height] = [values.get('imageWidth'), values.get('imageHeight')];
      if (isFiniteNumber(width) && isFiniteNumber(height)) sizes.compare(path, { width, height }, info);
      const add = createAnnotationAdder(task_data, report, path);
      addTags(add, flags, info.frame);
      for (const { at, value } of shapes) {
        try {
          const shape = readLabelMeShape(value, (name) => task_data.label(name), report);
          // Values that are not records have thrown before.
          noteUnread(value as Readonly<Record<string, unknown>>, shape.label);
          await addShape(add, shape, { path, at, frame: info.frame });
        } catch (error) {
          reportRecord(report, path, at, error);
        }
      }
      return true;
    },
    finish(): void {
      tracks.finish();
      sizes.finish();
      unreadOfImages.finish();
    },
  };
}

/** Creates an importer for a program with labelme's file format. */
export const labelMeReader =
  (format: string): DatasetReader =>
  async (source, task_data, options) => {
    const reader = createLabelMeReader(source, task_data, options);
    const needs = `${format} files: JSON about one image, with "shapes" and "imagePath"`;
    await readImageFiles(source, task_data, options, { needs, read: reader.read });
    reader.finish();
  };
