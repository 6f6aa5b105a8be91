import { AppError } from '../../platform/errors.ts';
import { asText, isRecord } from '../kit/records.ts';
import type { LabelInfo } from '../kit/task-data.ts';

/** Columns of the tables that Limner writes. One column for each attribute follows. */
export const ownColumns = [
  'image',
  'subset',
  'frame',
  'label',
  'type',
  'xmin',
  'ymin',
  'xmax',
  'ymax',
  'rotation',
  'points',
  'group',
  'track',
  'occluded',
  'outside',
  'z_order',
  'source',
  'score',
  'keyframe',
] as const;

/** Names of all attributes without duplicates, in the order of the labels. */
export function attributeColumns(labels: readonly LabelInfo[]): string[] {
  return [...new Set(labels.flatMap(({ attributes }) => attributes.map(({ name }) => name)))];
}

const columnRoles = [...ownColumns, 'class_id', 'x', 'y', 'width', 'height', 'center_x', 'center_y', 'bbox'] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** Column index for each role, and the other columns. */
export interface Columns {
  readonly places: ReadonlyMap<ColumnRole, number>;
  /** Attribute columns: `attr:<name>`. */
  readonly attributes: readonly { readonly name: string; readonly place: number }[];
  readonly others: readonly { readonly name: string; readonly place: number }[];
}

/** Column names of other programs, in lower case without spaces, dashes and underscores. */
const synonyms: Readonly<Record<string, ColumnRole>> = {
  filename: 'image',
  file: 'image',
  path: 'image',
  filepath: 'image',
  imagepath: 'image',
  imageid: 'image',
  imagename: 'image',
  imagefile: 'image',
  img: 'image',
  split: 'subset',
  set: 'subset',
  framenumber: 'frame',
  frameindex: 'frame',
  frameid: 'frame',
  class: 'label',
  classname: 'label',
  category: 'label',
  categoryname: 'label',
  labelname: 'label',
  labels: 'label',
  shapetype: 'type',
  x1: 'xmin',
  y1: 'ymin',
  x2: 'xmax',
  y2: 'ymax',
  left: 'xmin',
  top: 'ymin',
  right: 'xmax',
  bottom: 'ymax',
  bboxx: 'x',
  bboxy: 'y',
  bboxwidth: 'width',
  bboxheight: 'height',
  bboxw: 'width',
  bboxh: 'height',
  w: 'width',
  h: 'height',
  cx: 'center_x',
  cy: 'center_y',
  xcenter: 'center_x',
  ycenter: 'center_y',
  centerx: 'center_x',
  centery: 'center_y',
  box: 'bbox',
  boundingbox: 'bbox',
  boundingboxes: 'bbox',
  angle: 'rotation',
  groupid: 'group',
  trackid: 'track',
  trackerid: 'track',
  zorder: 'z_order',
  confidence: 'score',
  conf: 'score',
};

function roleOf(name: string): ColumnRole | undefined {
  const key = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
  return columnRoles.find((role) => role.replaceAll('_', '') === key) ?? synonyms[key];
}

const attributePrefix = /^attr:/;

export function readColumns(names: readonly string[]): Columns {
  const places = new Map<ColumnRole, number>();
  const attributes: { name: string; place: number }[] = [];
  const others: { name: string; place: number }[] = [];
  for (const [place, name] of names.entries()) {
    const role = attributePrefix.test(name) ? undefined : roleOf(name);
    if (attributePrefix.test(name)) attributes.push({ name: name.replace(attributePrefix, ''), place });
    else if (role !== undefined && !places.has(role)) places.set(role, place);
    else others.push({ name: name.trim(), place });
  }
  return { places, attributes, others };
}

/** Applies the option `columns`, which maps a role to a column by name or by number from 1. */
export function withChosenColumns(columns: Columns, names: readonly string[], chosen: unknown): Columns {
  if (chosen === undefined || chosen === null) return columns;
  const table: unknown = typeof chosen === 'string' ? parsedOption(chosen) : chosen;
  if (!isRecord(table))
    throw new AppError('invalid', 'The option columns must be an object of roles. Nothing was done.');
  const places = new Map(columns.places);
  for (const [name, value] of Object.entries(table)) {
    const role = columnRoles.find((one) => one === name);
    const place = typeof value === 'number' ? value - 1 : names.indexOf(asText(value));
    if (role === undefined || !Number.isInteger(place) || place < 0) {
      throw new AppError(
        'invalid',
        `The option columns names ${JSON.stringify(name)} for column ${JSON.stringify(value)}, but there is no such ${role === undefined ? 'role' : 'column'}. Nothing was done.`,
      );
    }
    for (const [other, taken] of places) if (taken === place) places.delete(other);
    places.set(role, place);
  }
  const used = new Set(places.values());
  return { ...columns, places, others: columns.others.filter(({ place }) => !used.has(place)) };
}

function parsedOption(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const boxStyles: readonly (readonly ColumnRole[])[] = [
  ['xmin', 'ymin', 'xmax', 'ymax'],
  ['x', 'y', 'width', 'height'],
  ['xmin', 'ymin', 'width', 'height'],
  ['center_x', 'center_y', 'width', 'height'],
  ['bbox'],
];

/** Columns that state a box; undefined in tables without boxes. */
export function boxStyle({ places }: Columns): readonly ColumnRole[] | undefined {
  return boxStyles.find((roles) => roles.every((role) => places.has(role)));
}

/** True if `width` and `height` are the image's size, because the box is stated by its corners. */
export const statesImageSize = (columns: Columns): boolean =>
  boxStyle(columns)?.includes('xmax') === true && columns.places.has('width') && columns.places.has('height');

const plainNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const autoMlSets = /^(TRAIN(ING)?|VALIDAT(E|ION)|TEST|UNASSIGNED)$/i;

/**
 * Columns of tables without a header row, guessed from the first row: `path,x1,y1,x2,y2,class` (empty fields: an image
 * without objects), `label,left,top,width,height,image,…`, or `set,path,label,x1,y1,,,x2,y2,,` in fractions.
 */
export function headlessColumns(row: readonly string[]): { columns: Columns; isNormalized: boolean } | undefined {
  const of = (roles: readonly (ColumnRole | '')[]): Columns => ({
    places: new Map(roles.flatMap((role, place): [ColumnRole, number][] => (role === '' ? [] : [[role, place]]))),
    attributes: [],
    others: [],
  });
  const box = row.slice(1, 5);
  if (
    row.length === 6 &&
    (box.every((field) => plainNumber.test(field)) || row.slice(1).every((field) => field.trim() === ''))
  )
    return { columns: of(['image', 'xmin', 'ymin', 'xmax', 'ymax', 'label']), isNormalized: false };
  // makesense.ai: `label,left,top,width,height,image,image width,image height`.
  const isMakeSense = row.length === 8 && [...box, ...row.slice(6)].every((field) => plainNumber.test(field));
  if (isMakeSense && !plainNumber.test(row[5] ?? ''))
    return { columns: of(['label', 'x', 'y', 'width', 'height', 'image']), isNormalized: false };
  if ((row.length === 11 || row.length === 9) && autoMlSets.test(row[0] ?? '') && plainNumber.test(row[3] ?? ''))
    return { columns: of(['subset', 'image', 'label', 'xmin', 'ymin', '', '', 'xmax', 'ymax']), isNormalized: true };
  return undefined;
}

/** True if a table with these columns describes objects on images. */
export function isAboutObjects(columns: Columns): boolean {
  const { places } = columns;
  return (
    (places.has('image') || places.has('frame')) &&
    (boxStyle(columns) !== undefined || places.has('label') || places.has('points'))
  );
}

/** The delimiter: the candidate that occurs most often in the first line, outside quotes. */
export function delimiterOf(firstLine: string): string {
  const bare = firstLine.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '|'].map((mark) => ({ mark, count: bare.split(mark).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}
