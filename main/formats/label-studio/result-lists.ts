import { isRecord } from '../kit/records.ts';
import type { FormatReport } from '../kit/report.ts';
import { geometryOf, type JsonObject } from './read-region.ts';

/** Results that were made together, and where they stand. */
export interface ResultList {
  readonly list: readonly unknown[];
  readonly at: string;
}

/** Members of a flattened task that are about the task itself. */
const taskMembers = new Set(['id', 'annotator', 'annotation_id', 'created_at', 'updated_at', 'lead_time', 'agreement']);

/** Flattened tasks have their regions in members named as the controls. */
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

/** The lists of results that are taken; those that are not are reported. */
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
      if (isCancelled === true) report.bad(file, place, `it was cancelled: its ${result.length} results were left out`);
      else if (key === 'predictions' && !takesPredictions)
        report.warn(`${file} has predictions, which were left out: the option predictions takes them too.`);
      else lists.push({ list: result, at: `${place}.result` });
    });
  }
  if (lists.length > 1)
    report.warn(`${file} has several annotations of one image: the objects of all of them were taken.`);
  return lists;
}

export function isOfVideo({ list }: ResultList): boolean {
  return list.every((result) => isRecord(result) && result['type'] === 'videorectangle');
}
