import type { ModelInput } from '../../../preload/contract/schema/model-files.ts';
import type { Tensor } from '../tensor.ts';
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
  const fitted = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
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
  const columns = samples(width, pixels.width, covered.width, placing.offsetX);
  const rows = samples(height, pixels.height, covered.height, placing.offsetY);
  const isPlanar = input.layout === 'NCHW' || input.layout === 'CHW';
  const values = new arrays[input.type](width * height * 3);
  const plane = width * height;
  // Segment Anything and MMDetection pad with zeros after normalization; other models pad with a colour before it.
  const isFilledAfter = input.fit === 'corner' && input.fill === 0;
  const isWhole = !(values instanceof Float32Array);
  const { data } = pixels;
  const step = isPlanar ? 1 : 3;
  for (let channel = 0; channel < 3; channel += 1) {
    const source = input.colour === 'BGR' ? 2 - channel : channel;
    const scale = 1 / (input.divisor * (input.deviation[channel] ?? 1));
    const shift = (input.mean[channel] ?? 0) / (input.deviation[channel] ?? 1);
    const fill = isFilledAfter ? 0 : input.fill * scale - shift;
    let target = isPlanar ? channel * plane : channel;
    // Inlined without calls or arrays per pixel, because this thread also answers other requests.
    for (let y = 0; y < height; y += 1) {
      const upper = (rows.first[y] as number) * pixels.width * 3 + source;
      const lower = (rows.second[y] as number) * pixels.width * 3 + source;
      const down = rows.share[y] as number;
      for (let x = 0; x < width; x += 1, target += step) {
        const left = (columns.first[x] as number) * 3;
        let value = fill;
        if (left >= 0 && upper >= 0) {
          const right = (columns.second[x] as number) * 3;
          const across = columns.share[x] as number;
          const above = (data[upper + left] as number) * (1 - across) + (data[upper + right] as number) * across;
          const below = (data[lower + left] as number) * (1 - across) + (data[lower + right] as number) * across;
          value = (above * (1 - down) + below * down) * scale - shift;
        }
        values[target] = isWhole ? Math.round(value) : value;
      }
    }
  }
  const dims = isPlanar ? [3, height, width] : [height, width, 3];
  const isBatch = input.layout === 'NCHW' || input.layout === 'NHWC';
  const tensor = { type: input.type, dims: isBatch ? [1, ...dims] : dims, data: values };
  return { tensor, placing };
}

/** Pads first and resizes then, so that neither side is rounded. */
function paddedTensor(image: Pixels, input: ModelInput): PreparedPicture {
  const frame = padded(image, input.width / input.height, input.fill);
  const { tensor, placing } = pictureTensor(frame, { ...input, fit: 'stretch' });
  const offset = { offsetX: frame.left * placing.scaleX, offsetY: frame.top * placing.scaleY };
  return { tensor, placing: { ...placing, ...offset } };
}

/** @param covered size of the image in the target */
function samples(target: number, source: number, covered: number, offset: number) {
  /** −1 outside of the image. */
  const first = new Int32Array(target).fill(-1);
  const second = new Int32Array(target);
  const share = new Float32Array(target);
  const scale = covered / source;
  for (let index = Math.max(0, offset); index < Math.min(target, offset + covered); index += 1) {
    const place = Math.min(source - 1, Math.max(0, (index - offset + 0.5) / scale - 0.5));
    const before = Math.floor(place);
    first[index] = before;
    second[index] = Math.min(source - 1, before + 1);
    share[index] = place - before;
  }
  return { first, second, share };
}

/** Converts an x coordinate of the model input to the image. */
export const backX = ({ scaleX, offsetX }: FileMoves, x: number): number => (x - offsetX) / scaleX;
export const backY = ({ scaleY, offsetY }: FileMoves, y: number): number => (y - offsetY) / scaleY;
