import { interpolateTrack } from '../../../preload/geometry/interpolation.ts';
import type { LabeledData, Shape } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { maskBox } from '../../../preload/geometry/mask-runs.ts';
import { loadSharp } from '../../media/load-sharp.ts';

type Drawn = Pick<Shape, 'type' | 'points' | 'rotation' | 'label_id' | 'outside'> & {
  readonly id?: number | undefined;
  readonly elements?: readonly Drawn[];
};

export interface DrawnFrame {
  readonly data: Buffer;
  /** Size in pixels of the drawn frame. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the image per pixel of the drawn frame. */
  readonly scale: number;
}

/** Size of the frame in pixels, which the coordinates of its objects refer to. */
interface FrameSize {
  readonly width: number;
  readonly height: number;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
const safeColor = (color: string | undefined): string =>
  color !== undefined && /^#[0-9a-f]{3,8}$/i.test(color) ? color : '#ffffff';

const pairs = (points: readonly number[]): (readonly [number, number])[] =>
  points.flatMap((x, at) => (at % 2 === 0 ? [[x, points[at + 1] ?? 0] as const] : []));

/** Objects that are visible on the frame: shapes, and tracks at their interpolated place. */
export function objectsOnFrame({ shapes, tracks }: LabeledData, frame: number): Drawn[] {
  const tracked = tracks.flatMap((track): Drawn[] =>
    [...interpolateTrack(track, frame, frame, { hold: true })].map(({ elements, ...shape }) => ({
      ...shape,
      id: track.id,
      label_id: track.label_id,
      elements: [...elements],
    })),
  );
  return [...shapes.filter((shape) => shape.frame === frame), ...tracked].filter(({ outside }) => !outside);
}

/**
 * Draws objects over an image, so that a program that sees can check them.
 * @param longestSide in pixels, for the result
 */
export async function drawFrame(
  image: Buffer,
  objects: readonly Drawn[],
  labels: readonly Label[],
  { width: imageWidth, height: imageHeight, longestSide }: FrameSize & { readonly longestSide: number },
): Promise<DrawnFrame> {
  const sharp = await loadSharp();
  const original = sharp(image, { limitInputPixels: 1_000_000_000 });
  const scale = Math.max(1, Math.max(imageWidth, imageHeight) / longestSide);
  const width = Math.max(1, Math.round(imageWidth / scale));
  const height = Math.max(1, Math.round(imageHeight / scale));
  const known = new Map(labels.map((label) => [label.id, label]));
  const drawn = objects.map((shape) => svgOf(shape, known.get(shape.label_id), 1 / scale)).join('');
  const overlay = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn}</svg>`;
  const data = await original
    .resize(width, height, { fit: 'fill' })
    .composite([{ input: Buffer.from(overlay), left: 0, top: 0 }])
    .jpeg({ quality: 85 })
    .toBuffer();
  return { data, width, height, scale };
}

function svgOf(shape: Drawn, label: Label | undefined, factor: number): string {
  const color = safeColor(label?.color);
  const style = `fill="${color}" fill-opacity="0.15" stroke="${color}" stroke-width="2"`;
  const name = escaped(`${label?.name ?? '?'}${shape.id === undefined ? '' : ` ${shape.id}`}`);
  const [left, top] = cornerOf(shape);
  const title = `<text x="${left * factor + 3}" y="${Math.max(12, top * factor - 4)}" font-size="13" font-family="sans-serif"
    fill="${color}" stroke="#000" stroke-width="3" paint-order="stroke">${name}</text>`;
  return outlineOf(shape, style, factor, color) + title;
}

function cornerOf(shape: Drawn): readonly [number, number] {
  if (shape.type === 'mask') {
    const { left, top } = maskBox(shape.points);
    return [left, top];
  }
  const points = shape.type === 'skeleton' ? (shape.elements ?? []).flatMap((one) => one.points) : shape.points;
  const all = pairs(points);
  return [Math.min(...all.map(([x]) => x)), Math.min(...all.map(([, y]) => y))];
}

function outlineOf(shape: Drawn, style: string, factor: number, color: string): string {
  const at = (points: readonly number[]): string =>
    pairs(points)
      .map(([x, y]) => `${x * factor},${y * factor}`)
      .join(' ');
  const dots = (points: readonly number[]): string =>
    pairs(points)
      .map(([x, y]) => `<circle cx="${x * factor}" cy="${y * factor}" r="4" fill="${color}" stroke="#000"/>`)
      .join('');
  const [a = 0, b = 0, c = 0, d = 0] = shape.points;
  const turned = (x: number, y: number): string =>
    shape.rotation === 0 ? '' : ` transform="rotate(${shape.rotation} ${x * factor} ${y * factor})"`;
  switch (shape.type) {
    case 'rectangle':
      return `<polygon points="${at([a, b, c, b, c, d, a, d])}" ${style}${turned((a + c) / 2, (b + d) / 2)}/>`;
    case 'ellipse':
      return `<ellipse cx="${a * factor}" cy="${b * factor}" rx="${Math.abs(c - a) * factor}" ry="${Math.abs(b - d) * factor}" ${style}${turned(a, b)}/>`;
    case 'polyline':
      return `<polyline points="${at(shape.points)}" fill="none" stroke="${color}" stroke-width="2"/>`;
    case 'points':
      return dots(shape.points);
    case 'skeleton':
      return (shape.elements ?? []).map((one) => (one.outside ? '' : dots(one.points))).join('');
    case 'mask':
      return maskRows(shape.points, factor, color);
    default:
      // Polygons, and the front face of a cuboid followed by its back.
      return shape.type === 'cuboid'
        ? [shape.points.slice(0, 8), shape.points.slice(8)].map((face) => faceOf(face, at, style)).join('')
        : `<polygon points="${at(shape.points)}" ${style}/>`;
  }
}

/** The points of a face are TL, BL, TR, BR. */
function faceOf(face: readonly number[], at: (points: readonly number[]) => string, style: string): string {
  const [tl, bl, tr, br] = pairs(face);
  return `<polygon points="${at([tl, tr, br, bl].flatMap((point) => point ?? []))}" ${style}/>`;
}

/** One rectangle per run and row. */
function maskRows(mask: readonly number[], factor: number, color: string): string {
  const { left, top, width } = maskBox(mask);
  const rects: string[] = [];
  let position = 0;
  for (const [index, length] of mask.slice(0, -4).entries()) {
    const end = position + length;
    if (index % 2 === 0) position = end;
    while (position < end) {
      const row = Math.floor(position / width);
      const until = Math.min(end, (row + 1) * width);
      const x = (left + (position % width)) * factor;
      rects.push(
        `M${x} ${(top + row) * factor}h${(until - position) * factor}v${factor}h${(position - until) * factor}z`,
      );
      position = until;
    }
  }
  return `<path d="${rects.join('')}" fill="${color}" fill-opacity="0.45"/>`;
}
