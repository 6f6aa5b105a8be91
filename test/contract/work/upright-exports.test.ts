import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { quarterColors, quarters } from '../../unit/media/media-fixtures.ts';
import { useWork } from './work-harness.ts';

const work = await useWork();

const formats = ['jpeg', 'png', 'webp', 'tiff'] as const;
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];
/** Quarters of the displayed image: top left, top right, bottom left, bottom right. */
const seen = ['RGBW', 'GRWB', 'WBGR', 'BWRG', 'RBGW', 'BRWG', 'WGBR', 'GWRB'];
const images = await Promise.all(
  formats.flatMap((format) =>
    orientations.map(async (orientation) => ({
      name: `${orientation}-${format}.${format === 'jpeg' ? 'jpg' : format}`,
      bytes: await quarters(60, 40).withMetadata({ orientation }).toFormat(format).toBuffer(),
    })),
  ),
);
const { id: taskId } = await work.owner.taskWithImages({ name: 'turned', labels: [{ name: 'car' }] }, images);
const [car] = await work.labelsOf({ task_id: taskId });
await work.owner.good('PUT', `/api/tasks/${taskId}/annotations/`, {
  json: {
    shapes: images.map((_image, frame) => ({ frame, type: 'rectangle', points: [2, 2, 12, 12], label_id: car?.id })),
    tags: [],
    tracks: [],
  },
});

async function exported(format: string, exportOptions: DatasetExportOptions = {}) {
  const { rq_id: id } = await work.owner.good<{ rq_id: string }>('POST', `/api/tasks/${taskId}/dataset/export`, {
    query: {
      format,
      save_images: 'true',
      ...(Object.keys(exportOptions).length > 0 ? { export_options: JSON.stringify(exportOptions) } : {}),
    },
  });
  const { result_url: address } = await work.owner.ended(id);
  const { pathname, search } = new URL(address ?? '');
  const entries = Object.entries(await entriesOf(await work.owner.bytes(pathname + search)));
  const report = await work.owner.good<{ warnings: string[] }>('GET', `/api/requests/${id}/report`);
  return {
    warnings: report.warnings,
    images: new Map(
      entries.flatMap(([path, bytes]) => {
        const found = /(\d-(?:jpeg|png|webp|tiff))\.\w+$/.exec(path);
        return found?.[1] !== undefined && !/\.(txt|xml|json)$/.test(path) ? [[found[1], Buffer.from(bytes)]] : [];
      }),
    ),
  };
}

async function plain(bytes: Buffer) {
  const { width, height, orientation = 1 } = await sharp(bytes).metadata();
  return { size: `${width}×${height}`, orientation, colors: await quarterColors(bytes) };
}

test.each(['COCO 1.0', 'Ultralytics YOLO Detection 1.0', 'CVAT for images 1.1', 'PASCAL VOC 1.1'])(
  '%s with images writes them upright, whatever EXIF says',
  async (format) => {
    const { images: written, warnings } = await exported(format);
    expect(written.size).toBe(32);
    for (const [name, bytes] of written) {
      const orientation = Number(name[0]);
      expect({ name, ...(await plain(bytes)) }).toEqual({
        name,
        size: orientation >= 5 ? '40×60' : '60×40',
        orientation: 1,
        colors: seen[orientation - 1],
      });
    }
    expect(warnings).toContainEqual(
      expect.stringContaining('28 images with an EXIF orientation were written upright, 7 of them'),
    );
  },
);

test('writes upright images in a format that copies files', async () => {
  const { images: written } = await exported('COCO 1.0', { images: { format: 'jpeg' } });
  for (const [name, bytes] of written)
    expect({ name, colors: (await plain(bytes)).colors }).toEqual({ name, colors: seen[Number(name[0]) - 1] });
});

test('writes the original files on request, and the report says so', async () => {
  const { images: written, warnings } = await exported('COCO 1.0', { images: { orientation: 'original' } });
  for (const [name, bytes] of written) {
    const given = images.find((image) => image.name.startsWith(name));
    expect(Buffer.compare(bytes, given?.bytes ?? Buffer.alloc(0)), name).toBe(0);
  }
  expect(warnings).toContainEqual(expect.stringContaining('28 images with an EXIF orientation were written unchanged'));
});
