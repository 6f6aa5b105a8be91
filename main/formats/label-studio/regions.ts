import type { AnnotationAdder } from '../kit/add-annotation.ts';
import { asText, brief } from '../kit/records.ts';
import type { RecordGuard } from '../kit/record-guard.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, FrameInfo, TaskData } from '../kit/task-data.ts';
import { asObject, geometryOf, type JsonObject, labelsOf, valueOf } from './read-region.ts';
import type { ResultList } from './result-lists.ts';
import { videoTrack } from './video-track.ts';

/** What the results of one region say together. */
export interface Region {
  readonly id: string;
  readonly at: string;
  geometry?: string;
  result?: JsonObject;
  labels: string[];
  readonly attributes: Attribute[];
}

/** Texts of a control that is no geometry: choices, texts, numbers, ratings. */
function textsOf(value: JsonObject): string[] {
  for (const key of ['choices', 'text', 'number', 'rating', 'datetime']) {
    const one = value[key];
    const list: readonly unknown[] = Array.isArray(one) ? one : one === undefined ? [] : [one];
    const texts = list.flatMap((item) => (typeof item === 'string' || typeof item === 'number' ? [String(item)] : []));
    if (texts.length > 0) return texts;
  }
  return [];
}

/** Key points that name another one of the same label as their parent are points of one shape. */
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
 * Results of one id are one region: its outline, its label, and what else was said about it. Labels of the whole image
 * and tracks of a video are added at once; what has no place in a task is reported.
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
      else report.bad(file, place, `a task has no place for ${brief(result['type'])}: it was left out`);
    }
    return [...regions.values()];
  };
}
