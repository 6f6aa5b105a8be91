import { defined } from '../../platform/defined.ts';
import { createAnnotationAdder, createGroupNumbers } from '../kit/add-annotation.ts';
import { readExtraFields } from '../kit/extra-fields.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { booleanOption } from '../kit/option-values.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import { createRecordGuard, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import type { FrameInfo, LabeledShape, TaskData } from '../kit/task-data.ts';
import { createTrackShapes } from '../kit/track-shapes.ts';
import { createUnreadMembers } from '../kit/unread-members.ts';
import { asObject, outlineOf, sizeOf, valueOf } from './read-region.ts';
import {
  createRegionJoiner,
  flattenedResults,
  isOfVideo,
  mergeKeypoints,
  type Region,
  type ResultList,
  resultLists,
} from './regions.ts';

/** A URL, and for `/data/upload/3/1a2b3c4d-b.jpg` also the name without the eight characters that Label Studio adds. */
function namesOf(address: string): string[] {
  const uploaded = /^(.*?)[0-9a-f]{8}-([^/]+)$/.exec(address);
  const isWhole = uploaded?.[1] === '' || uploaded?.[1]?.endsWith('/') === true;
  return isWhole ? [address, `${uploaded?.[1] ?? ''}${uploaded?.[2] ?? ''}`] : [address];
}

/** Members that hold the image in most projects. */
const usualKeys = ['image', 'img', 'photo', 'picture', 'url', 'file', 'path', 'video', 'ocr'];

/** Candidate names of a task's image, most likely first. */
function imageNamesOf(data: unknown): string[] {
  if (!isRecord(data)) return [];
  const texts = Object.entries(data).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const isUsual = ([key]: readonly [string, string]): boolean => usualKeys.includes(key.toLowerCase());
  const looksLike = ([, text]: readonly [string, string]): boolean => /\.[a-z][a-z0-9]{1,4}([?#]|$)/i.test(text);
  const chosen = [...texts.filter(isUsual), ...texts.filter((entry) => !isUsual(entry) && looksLike(entry))];
  return [...new Set(chosen.flatMap(([, text]) => namesOf(text)))];
}

/** Members that Limner's exports store in `meta`, where users also write notes. */
const metaMembers: ReadonlySet<string> = new Set([
  'occluded',
  'z_order',
  'score',
  'outside',
  'source',
  'track_id',
  'keyframe',
  'group',
]);
/** Members of a region that are read, or that only the labeling screen needs. */
const resultMembers =
  'id type value meta score original_width original_height image_rotation from_name to_name parentID origin item_index readonly hidden locked'.split(
    ' ',
  );

export function createTaskReader(task_data: TaskData, options: ImportOptions, file: string) {
  const { report } = options;
  const takesPredictions = booleanOption(options, 'predictions', false);
  const add = createAnnotationAdder(task_data, report, file);
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const tracks = createTrackShapes(task_data, report);
  const sizes = createSizeWatch(report);
  const imageSizes = createSizeWatch(report, { files: 'images in the file', kept: 'percentages of the image' });
  const groupOf = createGroupNumbers(masks.nextGroup);
  const noteUnread = createUnreadMembers(report, new Set([...metaMembers, ...resultMembers]));
  const guarded = createRecordGuard(report, file);

  const joinResults = createRegionJoiner({ task_data, report, file, add, guarded });

  const shapeOf = (region: Region, frame: FrameInfo, groupOfRegion: (region: Region) => number): LabeledShape => {
    const { geometry = '', result = {}, attributes } = region;
    const [label, ...more] = region.labels;
    if (label === undefined) throw new RecordError('value', 'has no label');
    if (isFiniteNumber(result['image_rotation']) && result['image_rotation'] % 360 !== 0)
      throw new RecordError(
        'image_rotation',
        `is ${result['image_rotation']}: the region belongs to the rotated image`,
      );
    const size = sizeOf(result, frame, geometry === 'brush');
    const outline = outlineOf(geometry, valueOf(result), size);
    if (geometry === 'brush') sizes.compare(`the brush at ${region.at} in ${file}`, size, frame);
    for (const other of more) report.dropped(outline.type, other, `A shape has one label: this region got "${label}".`);
    const meta = isRecord(result['meta']) ? result['meta'] : {};
    const { score } = result;
    noteUnread(meta, label);
    noteUnread(result, label);
    return {
      ...readExtraFields({ ...meta, ...defined({ score }) }, (rule) => report.dropped('attribute', label, rule)).fields,
      ...outline,
      frame: frame.frame,
      label,
      attributes,
      group: groupOfRegion(region),
    };
  };

  const addRegions = (list: ResultList, frame: FrameInfo): void => {
    const regions = mergeKeypoints(joinResults(list, frame));
    // A brush has its own pixel size.
    const { result: sized = {} } = regions.find(({ region }) => region.geometry !== 'brush')?.region ?? {};
    const stated = { width: Number(sized['original_width']), height: Number(sized['original_height']) };
    imageSizes.compare(`${list.at} in ${file}`, stated, frame);
    const parents = new Set(regions.map(({ region }) => region.result?.['parentID']));
    const groupOfRegion = ({ id, result }: Region): number => {
      const meta = result?.['meta'];
      const parent = result?.['parentID'] ?? (parents.has(id) ? id : undefined);
      return groupOf(list.at, (isRecord(meta) ? meta['group'] : undefined) ?? parent);
    };
    for (const { region, points } of regions) {
      if (region.geometry === undefined) {
        report.invalid(file, region.at, 'it has a label, but no outline');
        continue;
      }
      guarded(region.at, () => {
        const shape = shapeOf(region, frame, groupOfRegion);
        const parts = points.map((part) => shapeOf(part, frame, () => 0).points);
        const whole = { ...shape, points: [...shape.points, ...parts.flat()] };
        const meta = region.result?.['meta'];
        const { trackId } = readExtraFields(isRecord(meta) ? meta : {}, () => undefined);
        const { keyframe: _keyframe, ...plain } = whole;
        if (shape.type === 'mask') masks.add(add, whole.points, plain, region.at);
        else if (trackId !== undefined) tracks.add(trackId, whole, file, region.at);
        else add.shape(whole, region.at);
      });
    }
  };

  return {
    read(value: unknown, at: string): void {
      guarded(at, () => {
        const task = asObject(value, '');
        const isWhole = 'data' in task;
        const data = isWhole ? task['data'] : task;
        const lists = isWhole
          ? resultLists(task, at, { file, report, takesPredictions })
          : [{ list: flattenedResults(task), at }];
        const count = lists.reduce((sum, { list }) => sum + list.length, 0);
        if (count === 0) return;
        const names = imageNamesOf(data);
        const subset = isRecord(data) && typeof data['subset'] === 'string' ? data['subset'] : 'default';
        const info = findFrame(task_data, names, subset, file);
        if (info) for (const list of lists) addRegions(list, info);
        else if (task_data.meta.mode === 'interpolation' && lists.every(isOfVideo))
          lists.forEach((list) => joinResults(list, videoFrame()));
        else report.invalid(file, at, notInTask(names[0]?.slice(0, 200) ?? '', count));
      });
    },
    finish(): void {
      tracks.finish();
      sizes.finish();
      imageSizes.finish();
    },
  };

  /** The task of a video names the video, not a frame. */
  function videoFrame(): FrameInfo {
    const info = task_data.frame_info(0);
    if (!info) throw new RecordError('', 'the task has no frames');
    return info;
  }
}
