import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import type { LabeledShape, Tag } from '../../main/formats/kit/task-data.ts';
import { formatOf, exportToZip, runImport } from './support/format-fixtures.ts';
import {
  asRead,
  attributeOf,
  everyKindBut,
  firstOfEachFrame,
  inOrder,
  scene,
  sceneShapes,
  sceneTags,
  type SceneSettings,
} from './support/scenes.ts';

interface RoundTrip extends SceneSettings {
  /** Parts of a shape that the format preserves; other shapes are not drawn. */
  readonly kept?: (shape: LabeledShape) => LabeledShape;
  /** Expected tags after the round trip; image labels are exported beside the shapes. */
  readonly tags?: (drawn: readonly Tag[]) => Tag[];
  readonly hasNoSource?: true;
  readonly labels?: typeof scene.labels;
  readonly runs?: number;
}

const each = (tags: readonly Tag[]): Tag[] => [...tags];
const distinct = (tags: readonly Tag[]): Tag[] => [
  ...new Map(tags.map((tag) => [`${tag.frame} ${tag.label}`, tag])).values(),
];
/** XML has no control characters. */
const clean = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- the characters that XML 1.0 forbids
  text.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
const ofXml = (shape: LabeledShape): LabeledShape => ({
  ...shape,
  attributes: shape.attributes.map(({ name, value }) => ({ name, value: clean(value) })),
});
const placeAndFlag = ({ score: _score, ...shape }: LabeledShape): LabeledShape => ({
  ...shape,
  attributes: [],
  z_order: 0,
});
const truncated = (value: string, type: string): Pick<RoundTrip, 'kept' | 'labels'> => ({
  labels: [{ name: 'tall tree 2', attributes: [attributeOf('truncated', type)] }],
  kept: (shape) => ({ ...shape, label: 'tall tree 2', attributes: [{ name: 'truncated', value }], z_order: 0 }),
});

const formats: readonly (readonly [name: string, RoundTrip])[] = [
  ['BDD100K 1.0', { kinds: ['rectangle', 'polygon', 'polyline'] }],
  ['Cityscapes Polygons 1.0', { kinds: ['polygon'] }],
  ['COCO Keypoints 1.0', { kinds: ['skeleton'], details: true, hasNoSource: true }],
  ['CreateML 1.0', { kinds: ['rectangle'] }],
  ['Datumaro 1.0', { kinds: everyKindBut('cuboid'), details: true, tags: each, hasNoSource: true, runs: 40 }],
  ['DOTA 1.0', { kinds: ['rectangle', 'rotated rectangle'], runs: 100 }],
  ['FiftyOne 1.0', { kinds: ['rectangle'] }],
  ['Hugging Face ImageFolder 1.0', { kinds: ['rectangle'] }],
  ['ISAT JSON 1.0', { kinds: ['polygon'] }],
  ['KITTI 1.0', { kinds: ['rectangle'], details: true, ...truncated('true', 'checkbox') }],
  ['KITTI 1.0', { kinds: ['rectangle'], details: true, ...truncated('0.25', 'text') }],
  ['Labelbox NDJSON 1.0', { kinds: ['rectangle', 'polygon', 'polyline'] }],
  ['labelme JSON 1.0', { kinds: everyKindBut('ellipse', 'cuboid', 'skeleton'), details: true, tags: distinct }],
  ['LabelMe 3.0', { kinds: ['rectangle', 'rotated rectangle', 'polygon', 'mask'], details: true, kept: ofXml, runs: 60 }], // prettier-ignore
  ['Label Studio JSON 1.0', { kinds: everyKindBut('cuboid', 'skeleton'), details: true, tags: distinct, runs: 100 }],
  ['MOT 1.1', { kinds: ['rectangle'], details: true, kept: placeAndFlag }],
  ['PaddleOCR 1.0', { kinds: ['rectangle'] }],
  ['PASCAL VOC 1.1', { kinds: ['rectangle', 'rotated rectangle'], details: true, kept: ofXml, tags: distinct }],
  ['SA-1B JSON 1.0', { kinds: ['mask'] }],
  ['SuperAnnotate JSON 1.0', { kinds: ['rectangle', 'polygon', 'polyline', 'ellipse'] }],
  ['Supervisely 1.0', { kinds: ['rectangle', 'polygon', 'polyline', 'mask'] }],
  ['Ultralytics YOLO Pose 1.0', { kinds: ['skeleton'] }],
  ['Ultralytics YOLO Segmentation 1.0', { kinds: ['polygon'] }],
  ['V7 Darwin JSON 2.0', { kinds: ['rectangle', 'polygon', 'polyline', 'ellipse'] }],
  ['VIA JSON 2.0', { kinds: ['rectangle', 'polygon', 'polyline', 'ellipse'] }],
  ['VoTT JSON 1.0', { kinds: ['rectangle', 'polygon', 'polyline'] }],
  ['WiderFace 1.0', { kinds: ['rectangle'], details: true, kept: placeAndFlag, tags: firstOfEachFrame }],
  ['X-AnyLabeling JSON 1.0', { kinds: everyKindBut('ellipse', 'cuboid', 'skeleton'), details: true, tags: distinct }],
];

describe('random scenes survive a round trip without dropped', () => {
  it.each(formats)('%s', async (name, { kept = (shape) => shape, tags: back, hasNoSource, runs = 25, ...settings }) => {
    const { exporter, importer } = formatOf(name);
    const task = { ...scene, labels: settings.labels ?? scene.labels };
    const source = hasNoSource ? undefined : 'file';
    const byPlace = (tags: readonly Tag[]) =>
      tags.toSorted((a, b) => a.frame - b.frame || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
    await fc.assert(
      fc.asyncProperty(sceneShapes(settings), back ? sceneTags : fc.constant([]), async (drawn, tags) => {
        const shapes = drawn.map(kept);
        const given = createInMemoryTaskData({ ...task, shapes, tags: back?.(tags) ?? [] });
        const { path, summary } = await exportToZip(exporter, given);
        expect(summary).toMatchObject({ dropped: [] });
        const { task: read, summary: reading } = await runImport(importer, path, task, {
          options: { conv_mask_to_poly: false },
        });
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
        expect(inOrder(read.shapes).map((shape) => asRead(shape))).toEqual(
          inOrder(shapes).map((shape) => asRead(shape, source)),
        );
        expect(byPlace(read.tags)).toEqual(byPlace(back?.(tags) ?? []).map((tag) => ({ ...tag, source })));
      }),
      { numRuns: runs },
    );
  });
});
