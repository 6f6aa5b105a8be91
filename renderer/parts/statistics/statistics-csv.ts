import type { KindCount, Statistics } from '../../../preload/contract/schema/statistics.ts';

/** A cell that opens as the text that it is: a program for tables would run what looks like a formula. */
const cell = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

type Row = readonly (string | number)[];

const head: Row = ['section', 'label', 'type', 'attribute', 'value', 'objects', 'tracks', 'keyframes', 'interpolated'];

/** What a row does not say stays empty. Names of columns and sections are the same in every language. */
export function statisticsCsv({ frames, labels, sources }: Statistics): string {
  const kindRow = (label: string, { type, objects, tracks, keyframes, interpolated }: KindCount): Row => [
    'label',
    label,
    type,
    '',
    '',
    objects,
    tracks,
    keyframes,
    interpolated,
  ];
  const countRow = (section: string, value: string, count: number, label = '', attribute = ''): Row => [
    section,
    label,
    '',
    attribute,
    value,
    count,
    '',
    '',
    '',
  ];
  const rows = [
    countRow('frames', 'total', frames.total),
    countRow('frames', 'with objects', frames.with_objects),
    countRow('frames', 'without objects', frames.total - frames.with_objects),
    countRow('frames', 'deleted', frames.deleted),
    ...labels.flatMap(({ name, kinds }) =>
      kinds.length === 0 ? [countRow('label', '', 0, name)] : kinds.map((kind) => kindRow(name, kind)),
    ),
    ...labels.flatMap(({ name, attributes }) =>
      attributes.flatMap((attribute) => [
        ...attribute.values.map(({ value, count }) => countRow('attribute', value, count, name, attribute.name)),
        ...(attribute.further_values > 0
          ? [countRow('attribute, other values', '', attribute.further_count, name, attribute.name)]
          : []),
      ]),
    ),
    ...sources.map(({ source, count }) => countRow('source', source, count)),
  ];
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
