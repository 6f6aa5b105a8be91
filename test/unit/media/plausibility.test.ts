import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { requireDecodable } from '../../../main/media/decode-cost.ts';
import { probeImage } from '../../../main/media/probe.ts';
import { prepareTaskMedia } from '../../../main/media/prepare.ts';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bmpHeader, gifFile, pngFile, quarters, tiffFile, writeFiles } from './media-fixtures.ts';

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' }, limitInputPixels: false });

const messageOf = (bytes: Buffer): Promise<string> =>
  probeImage(bytes, { name: 'x' }).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe('a header with a size beyond its file', () => {
  it('is refused: 74 bytes are not an image of 12,000 × 12,000 pixels', async () => {
    const promise = pngFile({ width: 12_000, height: 12_000, bits: 16, colorType: 6 }, Buffer.alloc(8, 0));
    expect(promise.length).toBeLessThan(80);
    expect(await messageOf(promise)).toBe(
      `x is a damaged PNG image: its header states 12000 × 12000 pixels, and its ${promise.length} bytes can hold ${Math.floor((promise.length * 1032) / 8)} of them at most.`,
    );
  });

  it('is refused in every format', async () => {
    const photo = await quarters(200, 100).jpeg().toBuffer();
    const frameAt = photo.indexOf(Buffer.from([0xff, 0xc0]));
    photo.writeUInt16BE(12_000, frameAt + 5);
    photo.writeUInt16BE(12_000, frameAt + 7);
    expect(await messageOf(photo)).toContain('12000 × 12000 pixels, and its');
    expect(await messageOf(gifFile(12_000, 12_000))).toContain('12000 × 12000 pixels, and its');
    const webp = await quarters(200, 100).webp({ lossless: true }).toBuffer();
    webp.writeUInt32LE((webp.readUInt32LE(21) & ~0xfffffff) | (13_999 << 14) | 13_999, 21);
    expect(await messageOf(webp)).toContain('14000 × 14000 pixels, and its');
    const bitmap = Buffer.concat([bmpHeader(9000, 9000), Buffer.alloc(2000 - 54)]);
    expect(await messageOf(bitmap)).toContain('9000 × 9000 pixels, and its 2000 bytes can hold 648');
    expect(await messageOf(tiffFile(9000, 9000, new Uint16Array(10)))).toContain('can hold 10 of them');
    const tiff = await flat(3000, 3000).tiff({ compression: 'deflate' }).toBuffer();
    expect(await messageOf(tiff)).toBe('accepted');
    const outside = Buffer.from(tiff);
    const offsets = stripOffsets(outside);
    for (const at of offsets) outside.writeUInt32LE(0x7000_0000, at);
    expect(await messageOf(outside)).toContain('can hold 0 of them');
  });

  it('is checked by the real limits: flat images with the best compression are read in every format', async () => {
    const files = [
      await flat(3000, 3000).png({ compressionLevel: 9 }).toBuffer(),
      await flat(3000, 3000).png({ compressionLevel: 9, palette: true, colours: 2 }).toBuffer(),
      await flat(3000, 3000).toColourspace('b-w').jpeg({ quality: 1, optimiseCoding: true }).toBuffer(),
      await flat(3000, 3000).jpeg({ quality: 1, progressive: true }).toBuffer(),
      await flat(3000, 3000).gif().toBuffer(),
      await flat(3000, 3000).webp({ lossless: true }).toBuffer(),
      await flat(3000, 3000).webp({ quality: 1 }).toBuffer(),
      await flat(1500, 1500).avif({ quality: 1, effort: 0 }).toBuffer(),
    ];
    for (const compression of ['none', 'lzw', 'deflate', 'packbits', 'jpeg'] as const) {
      const tiff = flat(2000, 2000).tiff({ compression, quality: 1, tile: compression === 'lzw' });
      files.push(await tiff.toBuffer());
    }
    for (const [index, bytes] of files.entries()) expect(await messageOf(bytes), `file ${index}`).toBe('accepted');
  });

  it('does not block a small truncated image', async () => {
    const png = await quarters(400, 300).png().toBuffer();
    expect(await messageOf(png.subarray(0, 200))).toBe('accepted');
    const large = await sharp(await quarters(2000, 2000).blur(3).png().toBuffer())
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(await messageOf(large.subarray(0, large.length / 2))).toBe('accepted');
  });
});

describe('an image that cannot be decoded row by row', () => {
  const refusal = async (bytes: Buffer) => {
    const probe = await probeImage(bytes, { name: 'x' });
    try {
      requireDecodable(probe, 'x');
      return 'accepted';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };

  it('is refused if that needs more memory than one image may have, and says what to do', async () => {
    expect(await refusal(await largeJpeg({ progressive: true }))).toBe(
      'x is 10000 × 9000 pixels and would take 270 MB of memory, because it is a progressive JPEG, which cannot be ' +
        'decoded row by row; the limit is 260 MB. Save it as a JPEG that is not progressive, or ' +
        'cut it into smaller images.',
    );
    expect(await refusal(await largeJpeg({ orientation: 6 }))).toContain(
      'x is 9000 × 10000 pixels and would take 270 MB of memory, because it is rotated by its EXIF data; the limit is ' +
        '260 MB. Save it upright',
    );
    const png = pngFile({ width: 10_000, height: 9000, bits: 8, colorType: 2 }, Buffer.alloc(400_000_000 / 1000));
    png[28] = 1;
    expect(await refusal(Buffer.concat([png, Buffer.alloc(300_000)]))).toContain('Save it without interlacing');
    const webp = await quarters(200, 100).webp({ lossless: true }).toBuffer();
    webp.writeUInt32LE((webp.readUInt32LE(21) & ~0xfffffff) | (8999 << 14) | 9999, 21);
    expect(await refusal(Buffer.concat([webp, Buffer.alloc(1000)]))).toContain('because it is a WebP');
  });

  it('is read if it is small enough, like large ones that can be decoded row by row', async () => {
    expect(await refusal(await largeJpeg({ progressive: true, width: 8000 }))).toBe('accepted');
    expect(await refusal(await largeJpeg({ orientation: 6, width: 8000 }))).toBe('accepted');
    expect(await refusal(await largeJpeg({ width: 20_000 }))).toBe('accepted');
  });

  it('is skipped in a task, which is created from the others', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'good.png': await quarters(20, 20).png().toBuffer(),
      'large.jpg': await largeJpeg({ progressive: true }),
    });
    const uploads = ['good.png', 'large.jpg'].map((name) => ({ name, file: join(folder, name) }));
    const prepared = await prepareTaskMedia({ location: { directory: join(folder, 'task') }, uploads });
    expect(prepared.skipped).toMatchObject([{ name: 'large.jpg', reason: expect.stringContaining('progressive') }]);
    const restored = { location: { directory: join(folder, 'restored') }, uploads };
    expect((await prepareTaskMedia(restored, { keepsLarge: true })).skipped).toEqual([]);
  });
});

/** A JPEG with a stated height of 9,000 pixels, and enough bytes for it. */
async function largeJpeg({ width = 10_000, orientation = 1, progressive = false }): Promise<Buffer> {
  const photo = await quarters(200, 100).withMetadata({ orientation }).jpeg({ progressive }).toBuffer();
  const frameAt = photo.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]));
  photo.writeUInt16BE(9000, frameAt + 5);
  photo.writeUInt16BE(width, frameAt + 7);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(0xfffd, 0x20)]);
  return Buffer.concat([photo.subarray(0, 2), ...Array<Buffer>(6).fill(comment), photo.subarray(2)]);
}

function stripOffsets(tiff: Buffer): number[] {
  const directory = tiff.readUInt32LE(4);
  const entry = Array.from({ length: tiff.readUInt16LE(directory) }, (_, index) => directory + 2 + index * 12).find(
    (at) => tiff.readUInt16LE(at) === 273,
  );
  if (entry === undefined) return [];
  const count = tiff.readUInt32LE(entry + 4);
  const first = count === 1 ? entry + 8 : tiff.readUInt32LE(entry + 8);
  return Array.from({ length: count }, (_, index) => first + 4 * index);
}
