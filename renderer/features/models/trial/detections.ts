import { labelPalette } from '../../../../preload/contract/colors.ts';
import { maskBox } from '../../../../preload/geometry/mask-runs.ts';
import { parseTolerantJson } from '../../../../preload/contract/tolerant-json.ts';

/** A shape over an image, in its pixels. */
export type Part =
  | { readonly type: 'path'; readonly points: readonly number[]; readonly isClosed: boolean }
  | { readonly type: 'ellipse'; readonly x: number; readonly y: number; readonly rx: number; readonly ry: number }
  | { readonly type: 'points'; readonly points: readonly number[] }
  | {
      readonly type: 'mask';
      readonly left: number;
      readonly top: number;
      readonly width: number;
      readonly height: number;
      /** Row by row, 1 for set pixels. */
      readonly pixels: Uint8Array;
    };

export interface Detection {
  readonly id: number;
  readonly label: string;
  readonly kind: string;
  /** 0 to 1; null if the function reports none. */
  readonly score: number | null;
  readonly color: string;
  /** Degrees clockwise about the centre. */
  readonly rotation: number;
  readonly attributes: readonly string[];
  readonly parts: readonly Part[];
}

export interface ReadAnswer {
  readonly detections: readonly Detection[];
  readonly notes: readonly AnswerNote[];
}
type AnswerNote = 'notJson' | 'noList' | 'embedding' | 'numbers' | 'unreadable';

type Item = Readonly<Record<string, unknown>>;
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

export function readAnswer(text: string): ReadAnswer {
  let value: unknown;
  try {
    value = parseTolerantJson(text);
  } catch {
    return { detections: [], notes: ['notJson'] };
  }
  const { items, note } = itemsOf(value);
  const colors = new Map<string, string>();
  const notes = new Set<AnswerNote>(note === null ? [] : [note]);
  const detections = items.flatMap((item, index): Detection[] => {
    const label = String(item['label'] ?? '');
    if (!colors.has(label)) colors.set(label, labelPalette[colors.size % labelPalette.length] ?? '#33ddff');
    const parts = partsOf(item);
    if (parts === null) notes.add('unreadable');
    return parts === null ? [] : [{ ...describe(item, index, label), color: colors.get(label) ?? '', parts }];
  });
  return { detections, notes: [...notes] };
}

function describe(item: Item, id: number, label: string) {
  const score = Number(item['confidence'] ?? item['score'] ?? Number.NaN);
  const attributes = Array.isArray(item['attributes']) ? (item['attributes'] as unknown[]) : [];
  const rotation = Number(item['rotation'] ?? 0);
  return {
    id,
    label,
    kind: String(item['type'] ?? ''),
    score: Number.isFinite(score) ? score : null,
    rotation: Number.isFinite(rotation) ? rotation : 0,
    attributes: attributes.map((one) => `${String(Object(one)['name'])}: ${String(Object(one)['value'])}`),
  };
}

function itemsOf(value: unknown): { readonly items: readonly Item[]; readonly note: AnswerNote | null } {
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    const isNumbers = list.length > 0 && list.every((one) => typeof one === 'number');
    return { items: list.filter(isItem), note: isNumbers ? 'numbers' : null };
  }
  if (!isItem(value)) return { items: [], note: 'noList' };
  // Trackers return shapes as plain numbers or with a type; newer interactors return shapes too.
  if (Array.isArray(value['shapes'])) {
    const items = (value['shapes'] as unknown[]).map((shape): Item =>
      Array.isArray(shape) ? { type: shape.length === 4 ? 'rectangle' : 'polygon', points: shape } : Object(shape),
    );
    return { items, note: null };
  }
  if (Array.isArray(value['mask'])) return { items: [{ type: 'mask', rows: value['mask'] }], note: null };
  if (Array.isArray(value['points'])) return { items: [{ type: 'polygon', points: value['points'] }], note: null };
  return { items: [], note: typeof value['blob'] === 'string' ? 'embedding' : 'noList' };
}

/** Null for unknown formats; empty for a tag. */
function partsOf(item: Item): Part[] | null {
  const type = item['type'];
  if (type === 'tag') return [];
  if (type === 'skeleton') return skeletonParts(item);
  if (type === 'mask') return maskParts(item);
  const points = numbersOf(item['points']);
  if (points === null || points.length < 2 || points.length % 2 !== 0) return null;
  const [a = 0, b = 0, c = 0, d = 0] = points;
  switch (type) {
    case 'rectangle':
      return points.length === 4 ? [{ type: 'path', isClosed: true, points: [a, b, c, b, c, d, a, d] }] : null;
    case 'ellipse':
      return points.length === 4 ? [{ type: 'ellipse', x: a, y: b, rx: Math.abs(c - a), ry: Math.abs(b - d) }] : null;
    case 'polygon':
      return points.length >= 6 ? [{ type: 'path', isClosed: true, points }] : null;
    case 'polyline':
      return [{ type: 'path', isClosed: false, points }];
    case 'points':
      return [{ type: 'points', points }];
    case 'cuboid':
      return points.length === 16 ? cuboidParts(points) : null;
    default:
      return null;
  }
}

function numbersOf(value: unknown): number[] | null {
  if (!Array.isArray(value)) return null;
  const flat = value.flat(2).map((one) => (one === null ? Number.NaN : Number(one)));
  return flat.every(Number.isFinite) ? flat : null;
}

/** Front and back, each as top left, bottom left, top right, bottom right; and the edges between them. */
function cuboidParts(points: readonly number[]): Part[] {
  const at = (index: number): number[] => points.slice(index * 2, index * 2 + 2);
  const face = (first: number): Part => ({
    type: 'path',
    isClosed: true,
    points: [at(first), at(first + 2), at(first + 3), at(first + 1)].flat(),
  });
  const edges = [0, 1, 2, 3].map((index): Part => ({
    type: 'path',
    isClosed: false,
    points: [at(index), at(index + 4)].flat(),
  }));
  return [face(0), face(4), ...edges];
}

function skeletonParts(item: Item): Part[] | null {
  const elements = Array.isArray(item['elements']) ? (item['elements'] as unknown[]) : [];
  return elements
    .filter(isItem)
    .flatMap((element) => (Number(element['outside'] ?? 0) > 0 ? [] : (partsOf(element) ?? [])));
}

function maskParts(item: Item): Part[] | null {
  if (Array.isArray(item['rows'])) return rowsPart(item['rows']);
  const crop = numbersOf(item['mask']);
  if (crop !== null && crop.length > 4) {
    const pixels = Uint8Array.from(crop.slice(0, -4), (value) => (value > 0 ? 1 : 0));
    return framed(pixels, crop);
  }
  const runs = numbersOf(item['points']);
  if (runs === null || runs.length < 5) return null;
  const pixels = runs.slice(0, -4).flatMap((length, index) => Array.from({ length }, () => index % 2));
  return framed(Uint8Array.from(pixels), runs);
}

/** The last four numbers are the box, right and bottom included. */
function framed(pixels: Uint8Array, numbers: readonly number[]): Part[] | null {
  const { left, top, width, height } = maskBox(numbers);
  return width > 0 && height > 0 && width * height === pixels.length
    ? [{ type: 'mask', left, top, width, height, pixels }]
    : null;
}

/** A mask of the complete image as rows of pixels. */
function rowsPart(rows: readonly unknown[]): Part[] | null {
  const lists = rows.filter((row): row is unknown[] => Array.isArray(row));
  const width = lists[0]?.length ?? 0;
  if (width === 0 || lists.length !== rows.length || lists.some((row) => row.length !== width)) return null;
  const pixels = Uint8Array.from(lists.flat(), (value) => (Number(value) > 0 ? 1 : 0));
  return [{ type: 'mask', left: 0, top: 0, width, height: lists.length, pixels }];
}

export function anchorOf({ parts }: Detection): { readonly x: number; readonly y: number } | null {
  const xs: number[] = [];
  const ys: number[] = [];
  for (const part of parts) {
    if (part.type === 'mask') {
      xs.push(part.left);
      ys.push(part.top);
    } else if (part.type === 'ellipse') {
      xs.push(part.x - part.rx);
      ys.push(part.y - part.ry);
    } else {
      part.points.forEach((value, index) => (index % 2 === 0 ? xs : ys).push(value));
    }
  }
  return xs.length === 0 ? null : { x: Math.min(...xs), y: Math.min(...ys) };
}

export function middleOf({ parts }: Detection): { readonly x: number; readonly y: number } {
  const [part] = parts;
  if (part === undefined || part.type === 'mask') return { x: 0, y: 0 };
  if (part.type === 'ellipse') return { x: part.x, y: part.y };
  const xs = part.points.filter((_, index) => index % 2 === 0);
  const ys = part.points.filter((_, index) => index % 2 === 1);
  return { x: (Math.min(...xs) + Math.max(...xs)) / 2, y: (Math.min(...ys) + Math.max(...ys)) / 2 };
}
