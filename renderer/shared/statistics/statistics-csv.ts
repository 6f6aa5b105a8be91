import type { Statistics } from '../../../preload/contract/schema/statistics.ts';
import { csvOf } from '../files/save-file.ts';

const columns = [
  'section',
  'label',
  'type',
  'attribute',
  'value',
  'objects',
  'tracks',
  'keyframes',
  'interpolated',
] as const;

/** Names of columns and sections are the same in every language. */
export const statisticsCsv = ({ frames, labels, sources }: Statistics): string =>
  csvOf(columns, [
    { section: 'frames', value: 'total', objects: frames.total },
    { section: 'frames', value: 'with objects', objects: frames.with_objects },
    { section: 'frames', value: 'without objects', objects: frames.total - frames.with_objects },
    { section: 'frames', value: 'deleted', objects: frames.deleted },
    ...labels.flatMap(({ name: label, kinds }) =>
      kinds.length === 0
        ? [{ section: 'label', label, objects: 0 }]
        : kinds.map((kind) => ({ section: 'label', label, ...kind })),
    ),
    ...labels.flatMap(({ name: label, attributes }) =>
      attributes.flatMap(({ name: attribute, values, further_values: others, further_count: objects }) => [
        ...values.map(({ value, count }) => ({ section: 'attribute', label, attribute, value, objects: count })),
        ...(others > 0 ? [{ section: 'attribute, other values', label, attribute, objects }] : []),
      ]),
    ),
    ...sources.map(({ source, count }) => ({ section: 'source', value: source, objects: count })),
  ]);
