import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

export interface ImageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly format?: 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif';
  readonly text?: string;
}

export interface NamedImage {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A generated photo: a gradient between two colours that depend on the text, with an ellipse. */
export async function makeImage(options: ImageOptions = {}): Promise<Buffer> {
  const { width = 320, height = 240, format = 'jpeg', text = '' } = options;
  const digest = createHash('sha256').update(text).digest();
  const color = (index: number) => `#${digest.subarray(3 * index, 3 * index + 3).toString('hex')}`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="g"><stop stop-color="${color(0)}"/><stop offset="1" stop-color="${color(1)}"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#g)"/>
    <ellipse cx="${width * 0.4}" cy="${height * 0.5}" rx="${width * 0.2}" ry="${height * 0.3}" fill="${color(2)}"/>
  </svg>`;
  return sharp(Buffer.from(drawing)).flatten().toFormat(format).toBuffer();
}

export async function makeImages(count: number, options: ImageOptions = {}): Promise<NamedImage[]> {
  const extension = options.format === undefined || options.format === 'jpeg' ? 'jpg' : options.format;
  const images: NamedImage[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `image-${String(index).padStart(3, '0')}.${extension}`;
    images.push({ name, bytes: await makeImage({ ...options, text: `${options.text ?? ''} ${index}` }) });
  }
  return images;
}

export function imageForm(images: readonly NamedImage[], more: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(more)) form.set(name, value);
  for (const [index, { name, bytes }] of images.entries())
    form.set(`client_files[${index}]`, new Blob([new Uint8Array(bytes)]), name);
  return form;
}

export async function writeImages(folder: string, images: readonly NamedImage[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths = images.map((image) => join(folder, image.name));
  for (const [index, image] of images.entries()) await writeFile(paths[index] ?? '', image.bytes);
  return paths;
}
