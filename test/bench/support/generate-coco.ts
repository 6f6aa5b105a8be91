import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createRandom } from '../../support/random.ts';

export interface CocoSize {
  readonly images: number;
  readonly annotations: number;
  readonly categories?: number;
  readonly meanCorners?: number;
  readonly seed?: number;
}

/** The size of train2017, with a polygon for each annotation: about 500 MB. */
export const trainSize: CocoSize = { images: 118_287, annotations: 900_000 };

/** Size of every image that the file names. Smaller images would make the import clip or reject shapes outside. */
export const cocoImageSize = { width: 640, height: 480 } as const;
const flushLength = 4 * 1024 * 1024;

export const imageName = (index: number): string => `${String(index).padStart(12, '0')}.jpg`;
export const categoryName = (index: number): string => `category ${index + 1}`;

function annotationText(
  id: number,
  imageId: number,
  categoryId: number,
  corners: number,
  random: () => number,
): string {
  const centerX = 40 + random() * (cocoImageSize.width - 80);
  const centerY = 40 + random() * (cocoImageSize.height - 80);
  const radius = 5 + random() * 35;
  const numbers: string[] = [];
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let corner = 0; corner < corners; corner += 1) {
    const angle = (corner / corners) * 2 * Math.PI;
    const distance = radius * (0.7 + 0.3 * random());
    const x = Math.round((centerX + distance * Math.cos(angle)) * 100) / 100;
    const y = Math.round((centerY + distance * Math.sin(angle)) * 100) / 100;
    numbers.push(String(x), String(y));
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const area = radius * radius * (2 + random());
  const box = [left, top, right - left, bottom - top].map((value) => Math.round(value * 100) / 100).join(',');
  return `{"segmentation":[[${numbers.join(',')}]],"area":${area},"iscrowd":0,"image_id":${imageId},"bbox":[${box}],"category_id":${categoryId},"id":${id}}`;
}

/**
 * Writes a COCO instances file: annotations in random order over the images; keys, file names and ids like the
 * published files (info, licenses, images, annotations, categories).
 */
export async function generateCoco(path: string, size: CocoSize): Promise<void> {
  const { images, annotations, categories = 80, meanCorners = 28, seed = 1 } = size;
  const random = createRandom(seed);
  const output = createWriteStream(path);
  let text = '{"info":{"description":"synthetic","year":2026},"licenses":[{"id":1,"name":"none","url":""}],"images":[';
  const put = async (piece: string): Promise<void> => {
    text += piece;
    if (text.length < flushLength) return;
    if (!output.write(text)) await once(output, 'drain');
    text = '';
  };
  const imageId = (index: number): number => index * 5 + 9;
  for (let index = 0; index < images; index += 1) {
    await put(
      `${index > 0 ? ',' : ''}{"license":1,"file_name":"${imageName(index)}","coco_url":"","height":${cocoImageSize.height},"width":${cocoImageSize.width},"date_captured":"2026-01-01 00:00:00","flickr_url":"","id":${imageId(index)}}`,
    );
  }
  await put('],"annotations":[');
  for (let index = 0; index < annotations; index += 1) {
    const corners = Math.max(3, Math.round(-meanCorners * Math.log(1 - random() * 0.999)));
    const image = Math.floor(random() * images);
    const category = 1 + Math.floor(random() * categories);
    await put(`${index > 0 ? ',' : ''}${annotationText(index + 1, imageId(image), category, corners, random)}`);
  }
  await put('],"categories":[');
  for (let index = 0; index < categories; index += 1) {
    await put(`${index > 0 ? ',' : ''}{"supercategory":"thing","id":${index + 1},"name":"${categoryName(index)}"}`);
  }
  output.end(`${text}]}`);
  await finished(output);
}
