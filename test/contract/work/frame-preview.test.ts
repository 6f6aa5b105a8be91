import { expect, test } from 'vitest';
import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import type { FramePreview } from '../../../preload/contract/schema/frame-preview.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();

const [width, height] = [64, 48];
const images = await Promise.all(
  ['a', 'b', 'c', 'd'].map(async (name) => ({ name: `${name}.png`, bytes: await picture(name, width, height) })),
);
const { id: projectId } = await work.owner.good<{ id: number }>('POST', '/api/projects', {
  json: { name: 'roads', labels: [{ name: 'car' }, { name: 'person' }, { name: 'day', type: 'tag' }] },
});
const { id: taskId } = await work.owner.taskWithImages({ name: 'street', project_id: projectId }, images);
const [car, person, day] = await work.labelsOf({ project_id: projectId });
const shape = (frame: number, type: string, points: readonly number[], more: object = {}) => ({
  frame,
  type,
  points,
  label_id: car?.id,
  ...more,
});
await work.owner.good('PUT', `/api/tasks/${taskId}/annotations/`, {
  json: {
    shapes: [
      shape(0, 'rectangle', [4, 4, 24, 20]),
      shape(0, 'polygon', [30, 10, 50, 10, 50, 30]),
      shape(0, 'ellipse', [20, 36, 28, 30], { label_id: person?.id }),
      shape(2, 'rectangle', [10, 10, 30, 20], { rotation: 45 }),
      shape(2, 'rectangle', [2, 2, 4, 4], { label_id: person?.id }),
      shape(3, 'mask', [0, 16, 40, 40, 43, 43], { label_id: person?.id }),
    ],
    tags: [{ frame: 2, label_id: day?.id }],
    tracks: [
      {
        frame: 2,
        label_id: car?.id,
        shapes: [
          { frame: 2, type: 'rectangle', points: [0, 0, 10, 10] },
          { frame: 3, type: 'rectangle', points: [20, 0, 30, 10] },
        ],
      },
    ],
  },
});

interface Choice {
  readonly format: string;
  readonly exportOptions?: DatasetExportOptions;
  readonly onlyAnnotated?: boolean;
}

async function pictures({ format, exportOptions = {}, onlyAnnotated = false }: Choice): Promise<FramePreview[]> {
  const found: FramePreview[] = [];
  do {
    found.push(
      await work.owner.good<FramePreview>('POST', `/api/limner/tasks/${taskId}/export/frame`, {
        json: { format, export_options: exportOptions, only_annotated_frames: onlyAnnotated, place: found.length },
      }),
    );
  } while (found.at(-1)?.has_next === true);
  return found;
}

async function written({ format, exportOptions = {}, onlyAnnotated = false }: Choice): Promise<Record<string, string>> {
  const { rq_id: id } = await work.owner.good<{ rq_id: string }>('POST', `/api/tasks/${taskId}/dataset/export`, {
    query: {
      format,
      save_images: 'false',
      export_options: JSON.stringify(exportOptions),
      ...(onlyAnnotated ? { only_annotated_frames: 'true' } : {}),
    },
  });
  const { result_url: address } = await work.owner.ended(id);
  const { pathname, search } = new URL(address ?? '');
  const entries = await entriesOf(await work.owner.bytes(pathname + search));
  return Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, String(text)]));
}

interface Coco {
  readonly images: readonly {
    readonly id: number;
    readonly file_name: string;
    readonly width: number;
    height: number;
  }[];
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly annotations: readonly {
    readonly image_id: number;
    readonly category_id: number;
    readonly segmentation: readonly (readonly number[])[];
  }[];
}

test('shows the parts, names, sizes, labels and polygons of a COCO file', async () => {
  const choice: Choice = {
    format: 'COCO 1.0',
    exportOptions: {
      split: { parts: [{ name: 'train', share: 1 }, { name: 'val', share: 1 }], seed: 3 }, // prettier-ignore
      labels: [{ name: 'person' }, { name: 'car', as: 'vehicle' }],
      shapes: { rectangle: 'polygon', 'rotated rectangle': 'polygon', ellipse: 'polygon', mask: 'polygon' },
      images: { longest_side: 32, format: 'jpeg' },
      names: 'numbered',
    },
    onlyAnnotated: true,
  };
  const seen = await pictures(choice);
  const read = Object.entries(await written(choice)).flatMap(([path, text]) => {
    const part = /instances_(\w+)\.json/.exec(path)?.[1];
    const { images: rows, categories, annotations } = JSON.parse(text) as Coco;
    return rows.map((row) => ({
      part,
      name: row.file_name,
      size: [row.width, row.height],
      objects: annotations
        .filter((one) => one.image_id === row.id)
        .map((one) => [categories.find(({ id }) => id === one.category_id)?.name, one.segmentation[0]]),
    }));
  });
  expect(seen).toHaveLength(3);
  const byName = (one: { readonly name: string }, other: { readonly name: string }) => (one.name < other.name ? -1 : 1);
  expect(
    seen
      .map(({ frame, objects }) => ({
        part: frame?.subset,
        name: frame?.written_name ?? '',
        size: [frame?.width, frame?.height],
        objects: objects.map(({ label, points }) => [label, points]),
      }))
      .toSorted(byName),
  ).toEqual(read.toSorted(byName));
  expect(seen.every((one) => one.is_read_back)).toBe(true);
  expect(seen.flatMap((one) => one.left_out)).toEqual([{ kind: 'tag', label: 'day', count: 1, reason: 'label' }]);
});

test('shows the boxes of a YOLO file, and reports objects that it cannot contain', async () => {
  const choice: Choice = { format: 'YOLO 1.1', exportOptions: { shapes: { mask: 'rectangle' }, minimum_area: 17 } };
  const seen = await pictures(choice);
  const files = await written(choice);
  for (const { frame, objects } of seen) {
    const text = files[`obj_train_data/${frame?.written_name.replace('.png', '.txt')}`] ?? '';
    const boxes = text.trim().split('\n').filter(Boolean).map((line) => line.split(' ').map(Number)); // prettier-ignore
    const read = boxes.map(([label = 0, x = 0, y = 0, w = 0, h = 0]) => [
      ['car', 'person', 'day'][label],
      ...[x - w / 2, y - h / 2, x + w / 2, y + h / 2].map((value, at) =>
        Math.round(value * (at % 2 === 0 ? width : height)),
      ),
    ]);
    expect(objects.map(({ label, points }) => [label, ...points.map(Math.round)])).toEqual(read);
    expect(frame?.subset).toBe('default');
  }
  expect(seen.map(({ frame }) => frame?.name)).toEqual(['a.png', 'c.png', 'd.png']);
  expect(seen.flatMap(({ losses }) => losses.filter((row) => !row.is_written))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'polygon', label: 'car', count: 1 }),
      expect.objectContaining({ type: 'ellipse', label: 'person', count: 1 }),
    ]),
  );
  expect(seen.flatMap((one) => one.left_out)).toEqual([
    { kind: 'rectangle', label: 'person', count: 1, reason: 'size' },
    { kind: 'mask', label: 'person', count: 1, reason: 'size' },
  ]);
});

test('shows tracks on the frame, tags, and objects of every kind of a CVAT file', async () => {
  const choice: Choice = { format: 'CVAT for images 1.1', exportOptions: { shapes: { polygon: 'leave_out' } } };
  const seen = await pictures(choice);
  const xml = (await written(choice))['annotations.xml'] ?? '';
  const read = [...xml.matchAll(/<image [^>]*name="([^"]+)"[^>]*[^/]>([\s\S]*?)<\/image>/g)].map(
    ([, name, inside = '']) => [
      name,
      [...inside.matchAll(/<(box|ellipse|mask|tag|polygon) label="(\w+)"/g)].map(
        ([, kind, label]) => `${kind} ${label}`,
      ),
    ],
  );
  const kinds: Readonly<Record<string, string>> = { rectangle: 'box' };
  expect(
    seen.map(({ frame, objects }) => [
      frame?.written_name,
      objects.map(({ type, label }) => `${kinds[type] ?? type} ${label}`).toSorted(),
    ]),
  ).toEqual(
    read.map(([name, objects]) => [name, (objects as string[]).toSorted()]).filter(([, objects]) => objects?.length),
  );
  expect(seen[1]?.objects.find(({ rotation }) => rotation !== 0)).toMatchObject({ rotation: 45, label: 'car' });
  expect(seen[0]?.left_out).toEqual([{ kind: 'polygon', label: 'car', count: 1, reason: 'kind' }]);
});

test('works for a project, a job and a video format; says why nothing is written, and refuses invalid choices', async () => {
  const ask = (path: string, json: object) =>
    work.owner.call('POST', `/api/limner/${path}/export/frame`, { json: { format: 'COCO 1.0', ...json } });
  const [job] = await work.jobsOf(taskId);
  const [ofProject, ofJob] = [
    (await ask(`projects/${projectId}`, { place: 1 })).body as FramePreview,
    (await ask(`jobs/${job?.id}`, { place: 1 })).body as FramePreview,
  ];
  expect(ofProject).toEqual(ofJob);
  expect(ofJob.frame).toMatchObject({ task_id: taskId, frame: 2, name: 'c.png', objects: 4 });
  const video = (await ask(`tasks/${taskId}`, { format: 'CVAT for video 1.1', place: 1 })).body as FramePreview;
  expect(video.objects.map(({ points }) => points)).toContainEqual([0, 0, 10, 10]);
  const nothing = (
    await ask(`tasks/${taskId}`, { export_options: { shapes: { rectangle: 'leave_out' }, labels: [{ name: 'day' }] } })
  ).body as FramePreview;
  expect(nothing).toMatchObject({ frame: { name: 'c.png' } });
  const refused = await ask(`tasks/${taskId}`, { export_options: { labels: [{ name: 'none' }] } });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('Cannot export the label');
});
