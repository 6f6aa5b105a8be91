import { expect, test } from 'vitest';
import type { Source } from '../../../main/formats/io/source.ts';
import { createArchiveImages } from '../../../main/import-export/sources/dataset/archive-images.ts';

const sourceOf = (...paths: string[]) =>
  ({ entries: paths.map((path) => ({ path, sizeBytes: 1 })) }) as unknown as Source;

test.each([
  ['t 1.png', ['default/image_2/t 1.jpg', 'default/semantic_rgb/t 1.png', 'default/instance/t 1.png']],
  ['q', ['default/image_2/../q.jpg', 'default/q_GT.bmp']],
  ['a.png', ['images/a.jpg', 'masks/a.png']],
  ['a', ['JPEGImages/a.jpg', 'SegmentationClass/a.png', 'SegmentationObject/a.png']],
  ['a', ['imgsFine/a_leftImg8bit.png', 'a.jpg', 'gtFine/a_gtFine_labelIds.png']],
  ['street/a.jpg', ['street/a.jpg', 'street/a_seg.png', 'street/a_parts_1.png', 'street/a/instance_000_a.png']],
])('masks beside the image %j are never imported as frames', (name, paths) => {
  const images = createArchiveImages(sourceOf(...paths));
  const found = images.find({ name, subset: 'default' });
  if (found === undefined || found === 'ambiguous') throw new Error(`found ${found}`);
  expect(found.entry).toMatch(/\.jpg$/);
  const others = images.others(new Set([found.entry]), new Set(['default']));
  expect(
    others.filter(({ entry }) => /mask|semantic|instance|Segmentation|_GT|gtFine|_seg|_parts/.test(entry)),
  ).toEqual([]);
});

test('an image with the name of a mask and no image beside it is a frame', () => {
  const images = createArchiveImages(sourceOf('train/night_seg.png', 'train/b.jpg'));
  expect(images.others(new Set(), new Set()).map(({ name }) => name)).toEqual(['night_seg.png', 'b.jpg']);
});
