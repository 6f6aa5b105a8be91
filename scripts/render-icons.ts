import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const folder = fileURLToPath(new URL('../resources/icons/', import.meta.url));
const sizes = [16, 32, 48, 64, 128, 256, 512, 1024] as const;
/** Types of the images in an Apple icon file, by their size in pixels. */
const icnsTypes = new Map<number, string>([
  [16, 'icp4'],
  [32, 'icp5'],
  [64, 'icp6'],
  [128, 'ic07'],
  [256, 'ic08'],
  [512, 'ic09'],
  [1024, 'ic10'],
]);
const icoSizes = [16, 32, 48, 64, 128, 256];
/** Mean difference per channel (0 to 255) below which two images count as equal, because rasterizers differ by CPU. */
const sameWithin = 1.5;

export async function writeIcons(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const pictures = await renderAll();
  for (const [size, png] of pictures) await writeFile(join(folder, `${size}x${size}.png`), png);
  await writeFile(join(folder, 'icon.ico'), ico(pictures));
  await writeFile(join(folder, 'icon.icns'), icns(pictures));
}

export async function staleIcons(): Promise<string[]> {
  const stale: string[] = [];
  for (const [size, png] of await renderAll()) {
    const name = `${size}x${size}.png`;
    const committed = await readFile(join(folder, name)).catch(() => null);
    if (committed === null || (await difference(committed, png)) > sameWithin) stale.push(`resources/icons/${name}`);
  }
  return stale;
}

async function renderAll(): Promise<Map<number, Buffer>> {
  const svg = await readFile(join(folder, 'icon.svg'));
  const pictures = new Map<number, Buffer>();
  for (const size of sizes) {
    // At least four times the final size, so that small icons are smooth.
    const density = (72 * Math.max(256, size * 4)) / 1024;
    pictures.set(
      size,
      await sharp(svg, { density: Math.max(density, 18) })
        .resize(size, size)
        .png({ compressionLevel: 9 })
        .toBuffer(),
    );
  }
  return pictures;
}

async function difference(left: Buffer, right: Buffer): Promise<number> {
  const [a, b] = await Promise.all([left, right].map((png) => sharp(png).ensureAlpha().raw().toBuffer()));
  if (a === undefined || b === undefined || a.length !== b.length) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  return sum / a.length;
}

/** Windows icon: a directory with 16 bytes per entry, then PNG files. */
function ico(pictures: ReadonlyMap<number, Buffer>): Buffer {
  const entries = icoSizes.map((size) => ({ size, png: pictures.get(size) ?? Buffer.alloc(0) }));
  const header = Buffer.alloc(6 + 16 * entries.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(entries.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of entries.entries()) {
    const at = 6 + 16 * index;
    // One byte per side: 0 means 256.
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...entries.map((entry) => entry.png)]);
}

/** Apple icon: `icns`, the total length, then blocks of type, length and PNG file. */
function icns(pictures: ReadonlyMap<number, Buffer>): Buffer {
  const blocks = [...icnsTypes].map(([size, type]) => icnsBlock(type, pictures.get(size) ?? Buffer.alloc(0)));
  return icnsBlock('icns', Buffer.concat(blocks));
}

function icnsBlock(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32BE(header.length + content.length, 4);
  return Buffer.concat([header, content]);
}
