import { join } from 'node:path';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { probeImage } from '../../../main/media/probe.ts';
import { AppError } from '../../../main/platform/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bmpHeader, gifFile, jpeg, png16, pngFile, quarters, tiffFile, writeFiles } from './media-fixtures.ts';

async function messageOf(source: string | Uint8Array, name?: string): Promise<string> {
  const error: unknown = await probeImage(source, name === undefined ? {} : { name }).then(
    () => new Error('it was accepted'),
    (error: unknown) => error,
  );
  if (error instanceof AppError && error.code === 'invalid') return error.message;
  throw error;
}

describe('probeImage', () => {
  it('reads size and format from the headers of all formats', async () => {
    const expectSize = async (bytes: Uint8Array, format: string, bits = 8) => {
      expect(await probeImage(bytes)).toMatchObject({
        format,
        width: 37,
        height: 21,
        orientation: 1,
        bitsPerChannel: bits,
        isComplete: true,
      });
    };
    await expectSize(await jpeg(37, 21), 'jpeg');
    await expectSize(await quarters(37, 21).jpeg({ progressive: true }).toBuffer(), 'jpeg');
    await expectSize(await quarters(37, 21).png().toBuffer(), 'png');
    await expectSize(
      png16(37, 21, 1, () => 7),
      'png',
      16,
    );
    await expectSize(await quarters(37, 21).gif().toBuffer(), 'gif');
    await expectSize(await quarters(37, 21).webp({ lossless: false }).toBuffer(), 'webp');
    await expectSize(await quarters(37, 21).webp({ lossless: true }).toBuffer(), 'webp');
    await expectSize(await quarters(37, 21).ensureAlpha(0.5).webp().toBuffer(), 'webp');
    await expectSize(await quarters(37, 21).tiff().toBuffer(), 'tiff');
    await expectSize(await quarters(37, 21).tiff({ bigtiff: true, compression: 'deflate' }).toBuffer(), 'tiff');
    await expectSize(tiffFile(37, 21, new Uint16Array(37 * 21)), 'tiff', 16);
    await expectSize(await quarters(37, 21).avif().toBuffer(), 'avif');
    await expectSize(Buffer.concat([bmpHeader(37, -21), Buffer.alloc(112 * 21)]), 'bmp');
  });

  it('identifies a file by its content, not by its name, with large metadata before the image', async () => {
    const folder = temporaryFolder();
    const plain = await jpeg(40, 30);
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(0xfffd, 0x20)]);
    const long = Buffer.concat([plain.subarray(0, 2), ...Array.from({ length: 20 }, () => comment), plain.subarray(2)]);
    writeFiles(folder, { 'photo.png': long });
    expect(await probeImage(join(folder, 'photo.png'))).toMatchObject({ format: 'jpeg', width: 40, height: 30 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'returns the upright size for EXIF orientation %i, like the decoder',
    async (orientation) => {
      const image = () => quarters(40, 30).withMetadata({ orientation });
      const files = [
        await image().jpeg().toBuffer(),
        await image().webp().toBuffer(),
        await image().tiff().toBuffer(),
        await image().png().toBuffer(),
        tiffFile(40, 30, new Uint16Array(1200), 1, orientation),
      ];
      for (const bytes of files) {
        const decoder = await sharp(bytes).metadata();
        const probe = await probeImage(bytes);
        expect({ width: probe.width, height: probe.height, orientation: probe.orientation }, probe.format).toEqual({
          ...decoder.autoOrient,
          orientation: decoder.orientation ?? 1,
        });
      }
      expect((await probeImage(files[0] ?? '')).width).toBe(orientation >= 5 ? 30 : 40);
    },
  );

  it('counts the frames of animations and the pages of documents', async () => {
    expect((await probeImage(gifFile(1, 1, 12))).pageCount).toBe(12);
    const frame = await quarters(8, 16).png().toBuffer();
    const turned = await sharp(frame).rotate(180).png().toBuffer();
    const animation = await sharp([frame, turned, frame], { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await probeImage(animation)).pageCount).toBe(3);
    expect(await probeImage(animation)).toMatchObject({ width: 8, height: 16 });
  });

  it('names the type of a file that is not an image', async () => {
    expect(await messageOf(Buffer.from('hello there, these are notes'), 'notes.jpg')).toBe(
      'notes.jpg is not an image: it starts like text.',
    );
    expect(await messageOf(Buffer.alloc(0), 'a.png')).toBe('a.png is not an image: it is empty.');
    expect(await messageOf(Buffer.alloc(4096), 'a.png')).toContain('contains only zeros');
    expect(
      await messageOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'a.png'),
    ).toContain('is an SVG drawing');
    expect(await messageOf(Buffer.from('<?xml version="1.0"?><svg/>'), 'a.svg')).toContain('SVG');
    expect(await messageOf(Buffer.from('<!DOCTYPE html><html>'), 'a.jpg')).toContain('is a web page');
    expect(await messageOf(Buffer.from('%PDF-1.7 ...'), 'a.jpg')).toContain('is a PDF document');
    expect(await messageOf(Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0', 'latin1'), 'IMG_1.HEIC')).toContain('HEIC');
    expect(await messageOf(Buffer.from([1, 2, 3, 4, 5]), 'a.bin')).toContain('starts with 01020304');
    expect(await messageOf(tiffFile(4, 4, new Uint16Array(16)), 'photo.NEF')).toContain('camera raw');
    expect(await messageOf(join(temporaryFolder(), 'gone.png'))).toBe(
      'gone.png does not exist, or its folder may not be read.',
    );
    expect(await messageOf(temporaryFolder(), 'folder')).toBe('folder is a folder, not an image.');
  });

  it.each([
    ['JPEG XL', Buffer.from([0xff, 0x0a, 0x50, 0x36])],
    ['JPEG XR', Buffer.from([0x49, 0x49, 0xbc, 0x01])],
    ['PNM', Buffer.from('P6\n120 80\n255\n')],
    ['PCX', Buffer.from([0x0a, 5, 1, 8, 0, 0])],
    ['TGA', Buffer.from([0, 0, 2, 0, 0, 0, 0, 0])],
    ['TGA', Buffer.from([0, 0, 10, 0, 0, 0, 0, 0])],
  ])('names an image of an unsupported format: %s', async (format, head) => {
    const message = await messageOf(Buffer.concat([head, Buffer.alloc(600, 0x81)]), 'a.img');
    expect(message).toContain(`a.img is a`);
    expect(message).toContain(`${format} image`);
    expect(message).not.toContain('not an image');
  });

  it('names an intact JPEG that cannot be read: 12 bits, lossless, JPEG-LS', async () => {
    const photo = await jpeg(40, 30);
    const frameHeader = photo.indexOf(Buffer.from([0xff, 0xc0]));
    const changed = (offset: number, value: number) => {
      const bytes = Buffer.from(photo);
      bytes[frameHeader + offset] = value;
      return bytes;
    };
    expect(await messageOf(changed(4, 12), 'a.jpg')).toContain('a.jpg is a JPEG of 12 bits a channel');
    expect(await messageOf(changed(1, 0xc3), 'a.jpg')).toContain('a.jpg is a lossless JPEG image');
    expect(await messageOf(changed(1, 0xf7), 'a.jpg')).toContain('a.jpg is a JPEG-LS image');
  });

  it('refuses a truncated AVIF, without the path of its file', async () => {
    const folder = temporaryFolder();
    const avif = await quarters(400, 300).avif().toBuffer();
    for (const share of [0.4, 0.7, 0.95]) {
      writeFiles(folder, { 'cut.avif': avif.subarray(0, Math.floor(avif.length * share)) });
      const message = await messageOf(join(folder, 'cut.avif'));
      expect(message).toContain('cut.avif is a damaged AVIF image');
      expect(message).not.toContain(folder);
    }
  });

  it('refuses images above the limit by their header alone', async () => {
    expect(await messageOf(pngFile({ width: 60_000, height: 60_000, bits: 8, colorType: 2 }), 'pano.png')).toBe(
      'pano.png is 60000 × 60000 pixels; the limit is 500 megapixels. Cut it into smaller images.',
    );
    expect(await messageOf(gifFile(65_535, 65_535), 'a.gif')).toContain('65535 × 65535');
    expect(await messageOf(bmpHeader(30_000, 30_000), 'a.bmp')).toContain('30000 × 30000');
    expect(await messageOf(tiffFile(4_000_000_000, 4_000_000_000, new Uint16Array(4)), 'a.tif')).toContain(
      '4000000000 × 4000000000',
    );
    const small = await jpeg(40, 30);
    await expect(probeImage(small, { maxPixels: 1199 })).rejects.toThrow('40 × 30 pixels');
    await expect(probeImage(small, { maxPixels: 1200 })).resolves.toMatchObject({ width: 40 });
    const size = { width: 14_000, height: 14_000, bits: 1, colorType: 0 };
    expect(await probeImage(pngFile(size, Buffer.alloc(14_000 * 1751)))).toMatchObject({ width: 14_000 });
  });

  it('reports damaged headers and truncated images', async () => {
    const photo = await jpeg(400, 300);
    expect(await messageOf(photo.subarray(0, 30), 'cut.jpg')).toBe(
      'cut.jpg is a damaged JPEG image: the file ends inside its header.',
    );
    expect(await probeImage(photo.subarray(0, photo.length - 400))).toMatchObject({ width: 400, isComplete: false });
    expect((await probeImage(Buffer.concat([photo, Buffer.alloc(3000, 0x20)]))).isComplete).toBe(true);
    const png = await quarters(400, 300).png().toBuffer();
    expect((await probeImage(png.subarray(0, png.length - 20))).isComplete).toBe(false);
    const webp = await quarters(400, 300).webp().toBuffer();
    expect((await probeImage(webp.subarray(0, webp.length - 20))).isComplete).toBe(false);
    expect((await probeImage(bmpHeader(40, 30))).isComplete).toBe(false);
    const tiff = tiffFile(40, 30, new Uint16Array(1200));
    expect(await messageOf(tiff.subarray(0, tiff.length / 2), 'cut.tif')).toContain('damaged TIFF');
    expect(await messageOf(pngFile({ width: 0, height: 10, bits: 8, colorType: 0 }), 'zero.png')).toContain(
      '0 × 10 pixels',
    );
  });

  it('answers malicious files with a sentence, with any change in them', async () => {
    const originals = [
      await quarters(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      await quarters(40, 30).png().toBuffer(),
      await quarters(40, 30).webp().toBuffer(),
      await quarters(40, 30).withMetadata({ orientation: 6 }).webp().toBuffer(),
      await quarters(40, 30).tiff().toBuffer(),
      await quarters(40, 30).tiff({ bigtiff: true }).toBuffer(),
      gifFile(40, 30, 3),
      Buffer.concat([bmpHeader(40, 30), Buffer.alloc(3600)]),
    ];
    const change = fc.record({ at: fc.nat(400), value: fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...originals),
        fc.array(change, { maxLength: 6 }),
        fc.nat(2000),
        async (original, changes, length) => {
          const bytes = Buffer.from(original.subarray(0, Math.max(4, original.length - (length % original.length))));
          for (const { at, value } of changes) bytes[at % bytes.length] = value;
          try {
            const probe = await probeImage(bytes, { name: 'x' });
            expect(probe.width * probe.height).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
          }
        },
      ),
      { numRuns: 600 },
    );
  });
});
