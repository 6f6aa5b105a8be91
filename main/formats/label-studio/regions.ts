import type { AnnotationAdder } from '../kit/add-annotation.ts';
import { asText, brief, isFiniteNumber, isRecord, RecordError, type RecordGuard } from '../kit/records.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, FrameInfo, TaskData, Track, TrackedShape } from '../kit/task-data.ts';
import { taskFrame } from '../kit/find-frame.ts';
import { asObject, geometryOf, type JsonObject, labelsOf, outlineOf, sizeOf, valueOf } from './read-region.ts';

/** Rectangles of a video by frame, counted from 1. Throws `RecordError` if they cannot be read. */
function videoTrack(result: JsonObject, task_data: TaskData): Track {
  const value = valueOf(result);
  const { sequence } = value;
  const [label = ''] = labelsOf(value);
  if (!Array.isArray(sequence)) throw new RecordError('value.sequence', `must be a list, but is ${brief(sequence)}`);
  const shapes = new Map<number, TrackedShape>();
  sequence.forEach((item: unknown, index) => {
    const step = asObject(item, `value.sequence[${index}]`);
    const number = step['frame'];
    const frame = isFiniteNumber(number) ? taskFrame(task_data, String(number - 1)) : null;
    const info = frame === null ? undefined : task_data.frame_info(frame);
    if (!info) throw new RecordError(`value.sequence[${index}].frame`, `frame ${brief(number)} is not in the task`);
    const { type, points, rotation } = outlineOf('rectangle', step, sizeOf(result, info, false));
    const place = { occluded: false, attributes: [], keyframe: true, z_order: 0, rotation };
    shapes.set(info.frame, { type, points, ...place, frame: info.frame, outside: false });
    // Not visible from here until the next entry.
    if (step['enabled'] === false && task_data.frame_info(info.frame + 1))
      shapes.set(info.frame + 1, { type, points, ...place, frame: info.frame + 1, outside: true });
  });
  const ordered = [...shapes.values()].toSorted((a, b) => a.frame - b.frame);
  return { label, group: 0, source: 'file', attributes: [], shapes: ordered };
}

export interface ResultList {
  readonly list: readonly unknown[];
  readonly at: string;
}

/** Members of a flattened task that describe the task itself. */
const taskMembers = new Set(['id', 'annotator', 'annotation_id', 'created_at', 'updated_at', 'lead_time', 'agreement']);

/** Flattened tasks store regions in members named like the controls. */
export function flattenedResults(task: JsonObject): unknown[] {
  return Object.entries(task).flatMap(([name, member]): unknown[] => {
    if (taskMembers.has(name)) return [];
    const list = Array.isArray(member) ? (member as unknown[]) : [];
    if (list.some((one) => isRecord(one) && geometryOf(undefined, one) !== undefined))
      return list.map((one) => (isRecord(one) ? { ...one, from_name: name, type: one['type'], value: one } : one));
    const choices = isRecord(member) ? member['choices'] : undefined;
    return Array.isArray(choices) ? [{ from_name: name, type: 'choices', value: { choices } }] : [];
  });
}

/** Lists of results to import; others are reported. */
export function resultLists(
  task: JsonObject,
  at: string,
  {
    file,
    report,
    takesPredictions,
  }: { readonly file: string; readonly report: FormatReport; readonly takesPredictions: boolean },
): ResultList[] {
  const lists: ResultList[] = [];
  for (const key of ['annotations', 'completions', 'predictions']) {
    const annotations = task[key];
    if (!Array.isArray(annotations)) continue;
    annotations.forEach((annotation: unknown, index) => {
      if (!isRecord(annotation)) return;
      const { result, was_cancelled: isCancelled } = annotation;
      const place = `${at}.${key}[${index}]`;
      if (!Array.isArray(result) || result.length === 0) return;
      if (isCancelled === true)
        report.invalid(file, place, `it was cancelled: its ${result.length} results were left out`);
      else if (key === 'predictions' && !takesPredictions)
        report.warn(`${file} has predictions, which were left out. To import them, set the option predictions.`);
      else lists.push({ list: result, at: `${place}.result` });
    });
  }
  if (lists.length > 1)
    report.warn(`${file} has several annotations of one image: the objects of all of them were imported.`);
  return lists;
}

export function isOfVideo({ list }: ResultList): boolean {
  return list.every((result) => isRecord(result) && result['type'] === 'videorectangle');
}

export interface Region {
  readonly id: string;
  readonly at: string;
  geometry?: string;
  result?: JsonObject;
  labels: string[];
  readonly attributes: Attribute[];
}

/** Texts of controls without geometry: choices, texts, numbers, ratings. */
function textsOf(value: JsonObject): string[] {
  for (const key of ['choices', 'text', 'number', 'rating', 'datetime']) {
    const one = value[key];
    const list: readonly unknown[] = Array.isArray(one) ? one : one === undefined ? [] : [one];
    const texts = list.flatMap((item) => (typeof item === 'string' || typeof item === 'number' ? [String(item)] : []));
    if (texts.length > 0) return texts;
  }
  return [];
}

/** Keypoints whose parent is another keypoint of the same label become points of one shape. */
export function mergeKeypoints(regions: readonly Region[]): { region: Region; points: Region[] }[] {
  const byId = new Map(regions.map((region) => [region.id, region]));
  const merged = new Map<Region, Region[]>();
  const leaders: Region[] = [];
  for (const region of regions) {
    const parent = byId.get(asText(region.result?.['parentID']));
    const isPart =
      region.geometry === 'keypoint' &&
      parent?.geometry === 'keypoint' &&
      parent !== region &&
      parent.labels[0] === region.labels[0] &&
      merged.has(parent);
    if (isPart && parent) merged.get(parent)?.push(region);
    else {
      merged.set(region, []);
      leaders.push(region);
    }
  }
  return leaders.map((region) => ({ region, points: merged.get(region) ?? [] }));
}

interface JoinerOptions {
  readonly task_data: TaskData;
  readonly report: FormatReport;
  readonly file: string;
  readonly add: AnnotationAdder;
  readonly guarded: RecordGuard;
}

/**
 * Joins results with one id to a region: its outline, label and other values. Image labels and tracks of a video are
 * added directly; unsupported results are reported.
 */
export function createRegionJoiner({
  task_data,
  report,
  file,
  add,
  guarded,
}: JoinerOptions): (results: ResultList, frame: FrameInfo) => Region[] {
  const addTag = (label: string, { frame }: FrameInfo, at: string): void =>
    add.tag({ frame, label, attributes: [], group: 0, source: 'file' }, at);

  return ({ list, at }, frame) => {
    const regions = new Map<string, Region>();
    const others: { result: JsonObject; at: string }[] = [];
    const regionOf = (result: JsonObject, place: string): Region => {
      const id = typeof result['id'] === 'string' ? result['id'] : place;
      const region = regions.get(id) ?? { id, at: place, labels: [], attributes: [] };
      regions.set(id, region);
      return region;
    };
    list.forEach((item, index) => {
      const place = `${at}[${index}]`;
      guarded(place, () => {
        const result = asObject(item, '');
        const value = valueOf(result);
        const geometry = geometryOf(result['type'], value);
        if (geometry !== undefined || result['type'] === 'labels') {
          const region = regionOf(result, place);
          region.labels = [...new Set([...region.labels, ...labelsOf(value)])];
          if (geometry !== undefined) {
            region.geometry = geometry;
            region.result = result;
          }
        } else if (result['type'] === 'videorectangle') add.track(videoTrack(result, task_data), place);
        else others.push({ result, at: place });
      });
    });
    for (const { result, at: place } of others) {
      const region = typeof result['id'] === 'string' ? regions.get(result['id']) : undefined;
      const texts = textsOf(valueOf(result));
      const name = asText(result['from_name']);
      if (region && texts.length > 0) region.attributes.push({ name, value: texts.join(', ') });
      else if (result['type'] === 'choices') texts.forEach((label) => addTag(label, frame, place));
      else report.invalid(file, place, `a task has no field for ${brief(result['type'])}: it was left out`);
    }
    return [...regions.values()];
  };
}
