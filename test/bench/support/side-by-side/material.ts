import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { createRandom } from '../../../support/random.ts';
import type { Color } from './screen.ts';

/** Colours of successive images, far apart from each other and from the colours of the programs. */
const colors: readonly Color[] = [
  [200, 40, 40],
  [40, 170, 60],
  [50, 70, 210],
  [190, 60, 190],
  [210, 160, 30],
];
export const colorOf = (index: number): Color => colors[index % colors.length]!;

const noise = 26;
const contents = 50;
export const labelName = 'thing';

/** A JPEG of one colour with noise, so that its size and its decoding are those of a photo. */
async function photo(color: Color, width: number, height: number, quality: number): Promise<Buffer> {
  const pixels = randomBytes(width * height * 3);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = color[at % 3]! + ((pixels[at]! * noise) >> 8) - noise / 2;
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}

/** A folder of photos of 640 × 480 pixels and about 33 KB. */
export async function makeFolder(parent: string, count: number): Promise<string> {
  const folder = join(parent, `folder-${count}`);
  if (existsSync(folder)) return folder;
  await mkdir(folder);
  const photos = await Promise.all(Array.from({ length: contents }, (_, index) => photo(colorOf(index), 640, 480, 78)));
  for (let index = 0; index < count; index += 1)
    await writeFile(join(folder, `photo-${String(index).padStart(6, '0')}.jpg`), photos[index % contents]!);
  return folder;
}

/** A folder of photos of 12 megapixels and about 2.8 MB. */
export async function makePhotos(parent: string, count: number): Promise<string> {
  const folder = join(parent, `photos-${count}`);
  if (existsSync(folder)) return folder;
  await mkdir(folder);
  for (let index = 0; index < count; index += 1)
    await writeFile(
      join(folder, `photo-${String(index).padStart(3, '0')}.jpg`),
      await photo(colorOf(index), 4000, 3000, 64),
    );
  return folder;
}

const image = { width: 1920, height: 1080 };
const corners = 20;

const circle = (x: number, y: number, radius: number): number[] =>
  Array.from({ length: corners }, (_, corner) => {
    const angle = (corner / corners) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)].map((value) => Math.round(value * 100) / 100);
  }).flat();

/** Polygons of 20 points: the last one in the centre with a radius of 110 pixels, the others around it. */
export function makePolygons(count: number): number[][] {
  const random = createRandom(1);
  const others: number[][] = [];
  while (others.length < count - 1) {
    const [x, y] = [20 + random() * (image.width - 40), 20 + random() * (image.height - 40)];
    if (Math.hypot(x - image.width / 2, y - image.height / 2) > 260) others.push(circle(x, y, 5 + random() * 12));
  }
  return [...others, circle(image.width / 2, image.height / 2, 110)];
}

/**
 * A folder with an image without and an image with polygons. labelme and X-AnyLabeling read the polygons from a file
 * beside the image.
 */
export async function makePolygonFolder(parent: string, polygons: readonly (readonly number[])[]): Promise<string> {
  const folder = join(parent, `polygons-${polygons.length}-${(await readdir(parent)).length}`);
  await mkdir(folder);
  for (const index of [0, 1])
    await writeFile(join(folder, `frame-${index}.jpg`), await photo(colorOf(index), image.width, image.height, 70));
  const shapes = polygons.map((points) => ({
    label: labelName,
    points: Array.from({ length: points.length / 2 }, (_, at) => points.slice(2 * at, 2 * at + 2)),
    group_id: null,
    description: '',
    shape_type: 'polygon',
    flags: {},
  }));
  const size = { imageHeight: image.height, imageWidth: image.width };
  const file = { version: '5.0.0', flags: {}, shapes, imagePath: 'frame-1.jpg', imageData: null, ...size };
  await writeFile(join(folder, 'frame-1.json'), JSON.stringify(file, null, 2));
  return folder;
}

/** COCO annotations for the first images of a folder, with `each` polygons on an image. */
export async function makeCoco(parent: string, files: readonly string[], each: number): Promise<string> {
  const path = join(parent, 'instances.json');
  const random = createRandom(2);
  const annotations = files.flatMap((_, index) =>
    Array.from({ length: each }, (_one, at) => {
      const radius = 10 + random() * 40;
      const [x, y] = [60 + random() * 520, 60 + random() * 360];
      return {
        id: index * each + at + 1,
        image_id: index + 1,
        category_id: 1,
        segmentation: [circle(x, y, radius)],
        area: Math.PI * radius ** 2,
        bbox: [x - radius, y - radius, 2 * radius, 2 * radius],
        iscrowd: 0,
      };
    }),
  );
  const images = files.map((name, index) => ({ id: index + 1, file_name: name, width: 640, height: 480 }));
  await writeFile(path, JSON.stringify({ images, annotations, categories: [{ id: 1, name: labelName }] }));
  return path;
}

/** A video of 1920 × 1080 pixels with 30 frames a second, each in another colour than the one before. */
export async function makeVideo(parent: string, seconds: number): Promise<string> {
  const path = join(parent, 'video.mp4');
  for (const [index, [red, green, blue]] of colors.entries())
    await sharp({ create: { ...image, channels: 3, background: { r: red, g: green, b: blue } } })
      .png()
      .toFile(join(parent, `color-${index}.png`));
  const loop = ['-framerate', '30', '-stream_loop', '-1', '-i', join(parent, 'color-%d.png'), '-t', String(seconds)];
  const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-threads', '2'];
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...loop, ...coding, path]);
  return path;
}
