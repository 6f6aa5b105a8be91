import { labelTakes } from '../../../../../preload/contract/label-fit.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';
import { copiedAttributes, typeOf } from '../labels/label-rules.ts';

/** Names of labels and attributes, because ids differ between jobs. */
interface CopiedLabel {
  readonly id: number;
  readonly name: string;
  readonly attributes: readonly { readonly id: number; readonly name: string }[];
  readonly points: readonly { readonly id: number; readonly name: string }[];
}

export interface CopiedObjects {
  readonly limner: 'objects';
  readonly jobId: number;
  readonly labels: readonly CopiedLabel[];
  readonly records: readonly SceneRecord[];
}

const named = ({ id, name }: { readonly id: number; readonly name: string }) => ({ id, name });

export function copiedObjects(jobId: number, records: readonly SceneRecord[], labels: readonly Label[]): CopiedObjects {
  const used = labels.filter(({ id }) => records.some((record) => record.labelId === id));
  return {
    limner: 'objects',
    jobId,
    labels: used.map((label) => ({
      ...named(label),
      attributes: label.attributes.map(named),
      points: label.sublabels.map(named),
    })),
    records: records.map(({ serverId: _server, ...record }) => record),
  };
}

const isNumbers = (value: unknown): boolean => Array.isArray(value) && value.every((one) => Number.isFinite(one));

/** Objects that any window of this program copied; null for other text. */
export function readCopied(text: string | null): CopiedObjects | null {
  if (text === null || !text.startsWith('{"limner":"objects"')) return null;
  try {
    // The text may come from anywhere; the checks below find missing members.
    const found = JSON.parse(text) as CopiedObjects;
    const isWhole = found.records.every(
      (record) =>
        Number.isInteger(record.labelId) &&
        Array.isArray(record.attributes) &&
        (record.kind === 'tag' || (record.kind === 'shape' && isNumbers(record.points))),
    );
    return isWhole && found.labels.every(({ name }) => typeof name === 'string') ? found : null;
  } catch {
    return null;
  }
}

interface Matched {
  readonly records: readonly SceneRecord[];
  /** Labels that this job lacks or that do not fit the objects. */
  readonly missing: readonly string[];
}

export function matchedByName({ labels, records }: CopiedObjects, own: readonly Label[]): Matched {
  const missing = new Set<string>();
  const matched = records.flatMap((record): SceneRecord[] => {
    const from = labels.find(({ id }) => id === record.labelId);
    const to = own.find(({ name }) => name === from?.name);
    const elements = record.kind === 'shape' ? record.elements : undefined;
    const points = elements?.map((element) => {
      const name = from?.points.find(({ id }) => id === element.labelId)?.name;
      return to?.sublabels.find((point) => point.name === name)?.id;
    });
    if (from === undefined || to === undefined || !labelTakes(to.type, typeOf(record)) || points?.includes(undefined)) {
      missing.add(from?.name ?? '?');
      return [];
    }
    const attributes = copiedAttributes(record.attributes, from.attributes, to);
    const given = { ...record, labelId: to.id, attributes };
    if (given.kind === 'tag' || elements === undefined) return [given];
    return [
      {
        ...given,
        elements: elements.map((element, index) => ({ ...element, labelId: points?.[index] ?? element.labelId })),
      },
    ];
  });
  return { records: matched, missing: [...missing] };
}
