import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { withSource } from '../../main/formats/io/open-source.ts';
import { builtInFormats } from '../../main/formats/registry.ts';
import { createArchiveImages } from '../../main/import-export/sources/dataset/archive-images.ts';
import { emptyMeta } from '../../main/import-export/annotation-reader/empty-view.ts';
import { createInspectionView } from '../../main/import-export/sources/dataset/inspect-dataset.ts';
import { importInto, exportToZip } from './support/format-fixtures.ts';
import { readerOf, taskOfAll, tracksOfMasks } from './support/one-of-each.ts';
import { sceneFrames } from './support/scenes.ts';

const frames = [
  ['train', 't 1.jpg'],
  ['train', 'deep/er/b.png'],
  ['val', 'v1.jpg'],
  ['holdout ü', 'q.jpg'],
].map(([subset = '', name = ''], frame) => ({
  ...sceneFrames[0]!,
  name,
  frame,
  subset,
  task_id: 1 + ['train', 'val', 'holdout ü'].indexOf(subset),
}));
const images = new Map(frames.map(({ frame }) => [frame, { extension: '.jpg', bytes: Buffer.from([0xff, 0xd8]) }]));

const project = {
  kind: 'project' as const,
  subset: '',
  tasks: ['train', 'val', 'holdout ü'].map((subset, index) => ({
    ...emptyMeta,
    kind: 'task' as const,
    id: index + 1,
    subset,
    labels: [],
  })),
};

async function inspectionOf(exporter: (typeof builtInFormats.exporters)[number]) {
  const task = taskOfAll(exporter);
  const everywhere = <Item extends { readonly frame: number }>(items: readonly Item[] = []): Item[] =>
    frames.flatMap(({ frame }) => items.filter((item) => item.frame === 0).map((item) => ({ ...item, frame })));
  const { path } = await exportToZip(
    exporter,
    {
      ...task,
      meta: project,
      frames,
      images,
      shapes: everywhere(task.shapes),
      tags: everywhere(task.tags),
    },
    true,
  );
  return withSource({ path, name: basename(path) }, async (source) => {
    const survey = createInspectionView(createArchiveImages(source));
    await importInto(readerOf(exporter), path, survey.view, {
      conv_mask_to_poly: tracksOfMasks.has(exporter.display_name),
    });
    return survey.result().subsets.flatMap(({ name, frames: found }) => found.map((one) => `${name}: ${one.name}`));
  });
}

const ownNames: Readonly<Record<string, (name: string) => string>> = {
  'Cityscapes 1.0': (name) => name.replace(/(\.\w+)$/, '_leftImg8bit$1'),
  'Cityscapes Polygons 1.0': (name) => name.replace(/(\.\w+)$/, '_leftImg8bit$1'),
  'ImageNet 1.0': (name) => `car/${name}`,
  'VGGFace2 1.0': (name) => `car/${name}`,
  'WiderFace 1.0': (name) => `no_label/${name}`,
};
/** Formats that renumber images. */
const isNumbered = new Set(['Market-1501 1.0', 'KITTI Tracking 1.0']);

it.each(
  builtInFormats.exporters
    .filter(({ display_name }) => !isNumbered.has(display_name))
    .map((exporter) => [exporter.display_name, exporter] as const),
)('a project round trip with %s preserves its subsets and the names of its images', async (name, exporter) => {
  const expected = frames.map(
    (frame) =>
      `${exporter.lacksSubsets === true ? 'default' : frame.subset}: ${ownNames[name]?.(frame.name) ?? frame.name}`,
  );
  expect((await inspectionOf(exporter)).toSorted()).toEqual(expected.toSorted());
});
