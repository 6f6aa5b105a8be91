import type { Pixels } from './pixels.ts';

/** Pillow's bilinear filter: averages all pixels that a smaller one covers. Never enlarges. */
export function shrink({ width, height, data }: Pixels, toWidth: number, toHeight: number): Pixels {
  const size = { width: Math.min(width, toWidth), height: Math.min(height, toHeight) };
  const narrow = alongAxis(data, [height, width, 3], size.width);
  return { ...size, data: alongAxis(narrow, [1, height, size.width * 3], size.height) };
}

/** Pads with gray of this value in the middle of a frame with these proportions. */
export function padded({ width, height, data }: Pixels, ratio: number, fill: number): Pixels & Offset {
  const frame = {
    width: Math.max(width, Math.round(height * ratio)),
    height: Math.max(height, Math.round(width / ratio)),
  };
  const offset = { left: Math.floor((frame.width - width) / 2), top: Math.floor((frame.height - height) / 2) };
  const pixels = new Uint8Array(frame.width * frame.height * 3).fill(fill);
  for (let y = 0; y < height; y += 1) {
    const row = data.subarray(y * width * 3, (y + 1) * width * 3);
    pixels.set(row, ((y + offset.top) * frame.width + offset.left) * 3);
  }
  return { ...frame, ...offset, data: pixels };
}

interface Offset {
  readonly left: number;
  readonly top: number;
}

/** Resamples the middle axis of three. Weights fall linearly up to one target pixel from its center. */
function alongAxis(data: Uint8Array, [outer, size, inner]: readonly [number, number, number], target: number) {
  if (size === target) return data;
  const result = new Uint8Array(outer * target * inner);
  const scale = size / target;
  for (let index = 0; index < target; index += 1) {
    const center = (index + 0.5) * scale;
    const first = Math.max(0, Math.floor(center - scale + 0.5));
    const end = Math.min(size, Math.floor(center + scale + 0.5));
    const weights = Array.from({ length: end - first }, (_, step) =>
      Math.max(0, 1 - Math.abs((first + step + 0.5 - center) / scale)),
    );
    const total = weights.reduce((sum, one) => sum + one, 0);
    for (let row = 0; row < outer; row += 1) {
      const source = (row * size + first) * inner;
      const to = (row * target + index) * inner;
      for (let column = 0; column < inner; column += 1) {
        let sum = 0;
        for (let step = 0; step < weights.length; step += 1) {
          sum += (weights[step] as number) * (data[source + step * inner + column] as number);
        }
        result[to + column] = Math.round(sum / total);
      }
    }
  }
  return result;
}
