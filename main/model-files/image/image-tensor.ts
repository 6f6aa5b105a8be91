import type { ModelInput } from '../../../preload/contract/schema/model-files.ts';
import { levelTensor, type LevelTensor, type Tensor } from '../tensor.ts';
import type { Pixels } from './pixels.ts';
import { padded, shrink } from './shrink.ts';

/** Model input position = image position · scale + offset. */
export interface FileMoves {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly offsetX: number;
  readonly offsetY: number;
  readonly width: number;
  readonly height: number;
}

export interface PreparedPicture {
  readonly tensor: Tensor;
  readonly placing: FileMoves;
}

/** Half precision is converted in the process of the model. */
const arrays = { float32: Float32Array, float16: Float32Array, uint8: Uint8Array, int32: Int32Array } as const;

/** Maximum longer side if the model takes any size. */
const longestFreeSide = 2048;

/** Position of the image in the model input. */
function placingOf({ width, height }: Pick<Pixels, 'width' | 'height'>, input: ModelInput): FileMoves {
  const frame = { width: input.width, height: input.height };
  if (input.fit === 'stretch') {
    return { ...frame, scaleX: frame.width / width, scaleY: frame.height / height, offsetX: 0, offsetY: 0 };
  }
  if (input.fit === 'multiple') {
    const enlarge = Math.max(1, input.least_side / Math.min(width, height));
    const ratio = Math.min(enlarge, longestFreeSide / Math.max(width, height));
    const round = (length: number, step: number) => Math.max(step, Math.ceil((length * ratio) / step) * step);
    const free = { width: round(width, input.width), height: round(height, input.height) };
    return { ...free, scaleX: free.width / width, scaleY: free.height / height, offsetX: 0, offsetY: 0 };
  }
  const ratios = [frame.width / width, frame.height / height];
  const ratio = input.fit === 'crop' ? Math.max(...ratios) : Math.min(...ratios);
  // Torchvision and Transformers cut off the fraction of the longer side before the crop.
  const whole = input.fit === 'crop' ? (side: number) => Math.floor(side + 1e-9) : Math.round;
  const fitted = { width: whole(width * ratio), height: whole(height * ratio) };
  const scale = { scaleX: fitted.width / width, scaleY: fitted.height / height };
  if (input.fit === 'corner') return { ...frame, ...scale, offsetX: 0, offsetY: 0 };
  // An odd pixel of padding is added on the right and bottom, as in training.
  const middle = (whole: number, part: number) => Math.round((whole - part) / 2 - 0.1);
  return {
    ...frame,
    ...scale,
    offsetX: middle(frame.width, fitted.width),
    offsetY: middle(frame.height, fitted.height),
  };
}

/** Converts the image to the model's input tensor, with bilinear interpolation. */
export function pictureTensor(image: Pixels, input: ModelInput): PreparedPicture {
  if (input.fit === 'square') return paddedTensor(image, input);
  const placing = placingOf(image, input);
  const { width, height } = placing;
  const covered = {
    width: Math.round(image.width * placing.scaleX),
    height: Math.round(image.height * placing.scaleY),
  };
  const pixels = input.smooth ? shrink(image, covered.width, covered.height) : image;
  const columns = samples(width, pixels.width, covered.width, placing.offsetX, 3);
  const rows = samples(height, pixels.height, covered.height, placing.offsetY);
  const isPlanar = input.layout === 'NCHW' || input.layout === 'CHW';
  const dims = isPlanar ? [3, height, width] : [height, width, 3];
  const isBatch = input.layout === 'NCHW' || input.layout === 'NHWC';
  const levels = new Uint8Array(width * height * 3);
  const channels = [0, 1, 2].map((channel) => (input.colour === 'BGR' ? 2 - channel : channel));
  resample(pixels, { columns, rows, levels, isPlanar, channels, padding: input.fill });
  const shape = { type: input.type, dims: isBatch ? [1, ...dims] : dims };
  const tensor = levelTensor(shape, { levels, tables: tablesOf(input), isPlanar });
  // Segment Anything and MMDetection pad with zeros after normalization; other models pad with a colour before it.
  const isFilledAfter = input.fit === 'corner' && input.fill === 0;
  return { tensor: isFilledAfter ? zeroPadded(tensor, { columns, rows, isPlanar }) : tensor, placing };
}

/** Value of each level, by channel of the tensor. */
function tablesOf(input: ModelInput): LevelTensor['tables'] {
  return [0, 1, 2].map((channel) => {
    const scale = 1 / (input.divisor * (input.deviation[channel] ?? 1));
    const shift = (input.mean[channel] ?? 0) / (input.deviation[channel] ?? 1);
    const isWhole = input.type === 'uint8' || input.type === 'int32';
    const value = (_: unknown, level: number) => level * scale - shift;
    return new arrays[input.type](256).map(isWhole ? (_, level) => Math.round(value(_, level)) : value);
  });
}

interface Area {
  readonly columns: Samples;
  readonly rows: Samples;
  readonly isPlanar: boolean;
}

function zeroPadded({ type, dims, data }: Tensor, { columns, rows, isPlanar }: Area): Tensor {
  const width = columns.first.length;
  const step = isPlanar ? 1 : 3;
  for (let line = 0; line < data.length / (width * step); line += 1) {
    const start = line * width * step;
    const row = line % rows.first.length;
    const isPadded = row < rows.start || row >= rows.end;
    data.fill(0 as never, start, start + (isPadded ? width : columns.start) * step);
    data.fill(0 as never, start + columns.end * step, start + width * step);
  }
  return { type, dims, data };
}

/** Multiplies integers without a detour through floats. */
const { imul } = Math;

/** Sum of the weights of two positions, as in OpenCV. */
const one = 2048;

interface Target extends Area {
  readonly levels: Uint8Array;
  /** Place of each channel of the tensor in the image. */
  readonly channels: readonly number[];
  readonly padding: number;
}

/**
 * Interpolates in integers with the rounding of OpenCV's INTER_LINEAR, because models are trained on whole levels.
 * Without arrays per pixel, because this thread also answers other requests.
 */
function resample({ data, width: sourceWidth }: Pixels, target: Target): void {
  const { columns, rows, levels, isPlanar, channels, padding } = target;
  const [width, height] = [columns.first.length, rows.first.length];
  const step = isPlanar ? 1 : 3;
  const plane = isPlanar ? width * height : 1;
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((source) => channels.indexOf(source) * plane);
  const { start: left, end: right, first: firsts, second: seconds, share: shares } = columns;
  if (right - left < width || rows.end - rows.start < height) levels.fill(padding);
  for (let y = rows.start; y < rows.end; y += 1) {
    let at = (y * width + left) * step;
    const upper = (rows.first[y] as number) * sourceWidth * 3;
    const lower = (rows.second[y] as number) * sourceWidth * 3;
    const down = rows.share[y] as number;
    const up = one - down;
    for (let x = left; x < right; x += 1, at += step) {
      const across = shares[x] as number;
      const rest = one - across;
      const a = upper + (firsts[x] as number);
      // A pixel that is hit exactly, as all are at a third of the size, is copied.
      if (across === 0 && down === 0) {
        levels[at + red] = data[a] as number;
        levels[at + green] = data[a + 1] as number;
        levels[at + blue] = data[a + 2] as number;
        continue;
      }
      const b = upper + (seconds[x] as number);
      const c = lower + (firsts[x] as number);
      const d = lower + (seconds[x] as number);
      let above = imul(data[a] as number, rest) + imul(data[b] as number, across);
      let below = imul(data[c] as number, rest) + imul(data[d] as number, across);
      levels[at + red] = ((imul(up, above >> 4) >> 16) + (imul(down, below >> 4) >> 16) + 2) >> 2;
      above = imul(data[a + 1] as number, rest) + imul(data[b + 1] as number, across);
      below = imul(data[c + 1] as number, rest) + imul(data[d + 1] as number, across);
      levels[at + green] = ((imul(up, above >> 4) >> 16) + (imul(down, below >> 4) >> 16) + 2) >> 2;
      above = imul(data[a + 2] as number, rest) + imul(data[b + 2] as number, across);
      below = imul(data[c + 2] as number, rest) + imul(data[d + 2] as number, across);
      levels[at + blue] = ((imul(up, above >> 4) >> 16) + (imul(down, below >> 4) >> 16) + 2) >> 2;
    }
  }
}

/** Pads first and resizes then, so that neither side is rounded. */
function paddedTensor(image: Pixels, input: ModelInput): PreparedPicture {
  const frame = padded(image, input.width / input.height, input.fill);
  const { tensor, placing } = pictureTensor(frame, { ...input, fit: 'stretch' });
  const offset = { offsetX: frame.left * placing.scaleX, offsetY: frame.top * placing.scaleY };
  return { tensor, placing: { ...placing, ...offset } };
}

/** Positions in the image for each position of a side of the tensor; outside of start and end is padding. */
interface Samples {
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Weight of the second position, of {@link one}. */
  readonly share: Int32Array;
  readonly start: number;
  readonly end: number;
}

/**
 * @param covered size of the image in the target
 * @param step distance of two positions in the data
 */
function samples(target: number, source: number, covered: number, offset: number, step = 1): Samples {
  const first = new Int32Array(target);
  const second = new Int32Array(target);
  const share = new Int32Array(target);
  const ratio = source / covered;
  const [start, end] = [Math.min(target, Math.max(0, offset)), Math.max(0, Math.min(target, offset + covered))];
  for (let index = start; index < end; index += 1) {
    // 32-bit as in OpenCV.
    const place = Math.min(source - 1, Math.max(0, Math.fround((index - offset + 0.5) * ratio - 0.5)));
    const before = Math.floor(place);
    first[index] = before * step;
    second[index] = Math.min(source - 1, before + 1) * step;
    share[index] = Math.round((place - before) * one);
  }
  return { first, second, share, start, end };
}

/** Converts an x coordinate of the model input to the image. */
export const backX = ({ scaleX, offsetX }: FileMoves, x: number): number => (x - offsetX) / scaleX;
export const backY = ({ scaleY, offsetY }: FileMoves, y: number): number => (y - offsetY) / scaleY;
