import { readFileSync } from 'node:fs';
import { addPolygon, emptyChecksum } from '../polygon-checksum.ts';

interface CocoFile {
  readonly images: readonly { readonly id: number; readonly file_name: string }[];
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly annotations: readonly {
    readonly image_id: number;
    readonly category_id: number;
    readonly segmentation: readonly (readonly number[])[];
  }[];
}

/** Checksum of a COCO file, computed without the program's code. */
const file = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CocoFile;
const images = new Map(file.images.map((image) => [image.id, image.file_name]));
const labels = new Map(file.categories.map((category) => [category.id, category.name]));
const checksum = emptyChecksum();
for (const { image_id, category_id, segmentation } of file.annotations) {
  for (const points of segmentation) {
    addPolygon(checksum, images.get(image_id) ?? '', labels.get(category_id) ?? '', points);
  }
}
console.log(JSON.stringify(checksum));
