import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { chained, inverted, mapPoint } from '../../../renderer/canvas/geometry/affine.ts';
import { orientationMatrix } from '../../../renderer/canvas/geometry/orientation.ts';

const stored = { width: 3, height: 2 };
const pixels = Buffer.from([10, 20, 30, 40, 50, 60]);

describe('the rotation of an image', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('follows EXIF orientation %i', async (orientation) => {
    const file = await sharp(pixels, { raw: { ...stored, channels: 1 } })
      .withMetadata({ orientation })
      .png()
      .toBuffer();
    const { data, info } = await sharp(file, { autoOrient: true })
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const matrix = orientationMatrix(orientation, stored);
    for (let y = 0; y < stored.height; y += 1) {
      for (let x = 0; x < stored.width; x += 1) {
        const upright = mapPoint(matrix, x + 0.5, y + 0.5);
        const shown = data[Math.floor(upright.y) * info.width + Math.floor(upright.x)];
        expect(shown).toBe(pixels[y * stored.width + x]);
        expect(mapPoint(inverted(matrix), upright.x, upright.y)).toEqual({ x: x + 0.5, y: y + 0.5 });
        expect(mapPoint(chained(inverted(matrix), matrix), x, y)).toEqual({ x, y });
      }
    }
  });
});
