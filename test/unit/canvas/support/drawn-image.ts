import { createRandom } from '../../../support/random.ts';
import type { ReadPicture, Size } from '../../../../renderer/canvas/types.ts';

type Area = (x: number, y: number) => boolean;
type Color = readonly [red: number, green: number, blue: number];

export interface DrawnPicture {
  readonly size: Size;
  readonly area: Area;
  readonly color: Color;
  readonly ground: Color;
  readonly noise?: number;
}

/** An image with one area on an even background, with antialiased edges. */
export function drawnPicture({ size, area, color, ground, noise = 0 }: DrawnPicture): ReadPicture {
  const random = createRandom(7);
  const parts = [0.125, 0.375, 0.625, 0.875];
  const coverage = (x: number, y: number): number => {
    const corners = [0.125, 0.875].flatMap((dx) => [area(x + dx, y + 0.125), area(x + dx, y + 0.875)]);
    if (corners.every((isIn) => isIn === corners[0])) return corners[0] === true ? 1 : 0;
    return parts.flatMap((dx) => parts.filter((dy) => area(x + dx, y + dy))).length / 16;
  };
  const pixels = new Float32Array(size.width * size.height * 3);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const covered = coverage(x, y);
      for (let channel = 0; channel < 3; channel += 1) {
        const even = ground[channel]! * (1 - covered) + color[channel]! * covered;
        pixels[(y * size.width + x) * 3 + channel] = even + (random() * 2 - 1) * noise;
      }
    }
  }
  return (part, wanted) => {
    const [stepX, stepY] = [(part.right - part.left) / wanted.width, (part.bottom - part.top) / wanted.height];
    const rgba = new Uint8ClampedArray(wanted.width * wanted.height * 4).fill(255);
    for (let at = 0; at < wanted.width * wanted.height; at += 1) {
      const left = Math.floor(part.left + (at % wanted.width) * stepX);
      const top = Math.floor(part.top + Math.floor(at / wanted.width) * stepY);
      const right = Math.min(size.width, left + Math.max(1, Math.round(stepX)));
      const bottom = Math.min(size.height, top + Math.max(1, Math.round(stepY)));
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (let y = top; y < bottom; y += 1) {
          for (let x = left; x < right; x += 1) sum += pixels[(y * size.width + x) * 3 + channel]!;
        }
        rgba[at * 4 + channel] = sum / ((right - left) * (bottom - top));
      }
    }
    return rgba;
  };
}
