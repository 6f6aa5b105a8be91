import type { Pixels } from './pixels.ts';

/** Corners clockwise from the upper left one: x1, y1 … x4, y4. */
export type Quadrangle = readonly [number, number, number, number, number, number, number, number];

/** From this height per width on, a region is a vertical line of text. */
const vertical = 1.5;

/** The region as an upright image, as PaddleOCR cuts it. Vertical lines are turned by 90° counter-clockwise. */
export function uprightCrop(image: Pixels, corners: Quadrangle): Pixels {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = corners;
  const side = (a: number, b: number) => Math.max(1, Math.floor(Math.max(a, b)));
  const width = side(Math.hypot(x1 - x0, y1 - y0), Math.hypot(x2 - x3, y2 - y3));
  const height = side(Math.hypot(x3 - x0, y3 - y0), Math.hypot(x2 - x1, y2 - y1));
  const crop = warped(image, corners, width, height);
  return height / width >= vertical ? turnedLeft(crop) : crop;
}

/** Maps a rectangle to the quadrangle in perspective; pixels outside repeat the border. */
function warped(image: Pixels, corners: Quadrangle, width: number, height: number): Pixels {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = corners;
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const determinant = dx1 * dy2 - dx2 * dy1 || 1;
  const g = (sx * dy2 - dx2 * sy) / determinant;
  const h = (dx1 * sy - sx * dy1) / determinant;
  const data = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    const v = row / height;
    for (let column = 0; column < width; column += 1) {
      const u = column / width;
      const depth = g * u + h * v + 1;
      const x = ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / depth;
      const y = ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / depth;
      sampleCubic(image, x, y, data, (row * width + column) * 3);
    }
  }
  return { width, height, data };
}

/** Weights of four neighbours; the sharpness is OpenCV's. */
function cubicWeights(share: number): readonly [number, number, number, number] {
  const a = -0.75;
  const far = (d: number) => ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  const near = (d: number) => ((a + 2) * d - (a + 3)) * d * d + 1;
  return [far(share + 1), near(share), near(1 - share), far(2 - share)];
}

function sampleCubic({ width, height, data }: Pixels, x: number, y: number, target: Uint8Array, at: number): void {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [across, down] = [cubicWeights(x - left), cubicWeights(y - top)];
  const inside = (value: number, size: number) => Math.min(size - 1, Math.max(0, value));
  for (let channel = 0; channel < 3; channel += 1) {
    let sum = 0;
    for (let dy = 0; dy < 4; dy += 1) {
      const line = inside(top + dy - 1, height) * width;
      let row = 0;
      for (let dx = 0; dx < 4; dx += 1) {
        row += (across[dx] as number) * (data[(line + inside(left + dx - 1, width)) * 3 + channel] as number);
      }
      sum += row * (down[dy] as number);
    }
    target[at + channel] = Math.min(255, Math.max(0, Math.round(sum)));
  }
}

function moved(
  { width, height, data }: Pixels,
  size: Pick<Pixels, 'width' | 'height'>,
  to: (x: number, y: number) => number,
): Pixels {
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      turned.set(data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3), to(x, y) * 3);
  }
  return { ...size, data: turned };
}

const turnedLeft = (image: Pixels): Pixels =>
  moved(image, { width: image.height, height: image.width }, (x, y) => (image.width - 1 - x) * image.height + y);

/** Rotates by 180°. */
export const turnedAround = (image: Pixels): Pixels =>
  moved(image, image, (x, y) => (image.height - 1 - y) * image.width + image.width - 1 - x);
