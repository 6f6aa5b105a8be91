import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AnnotationChange } from '../../../preload/contract/schema/annotations.ts';
import type { Job, Request, Task } from '../../../preload/contract/schema/resources.ts';
import { makeImages } from '../../support/images.ts';
import type { ImportReport } from '../../support/client.ts';
import { startWorkbench, type TestWorkbench } from '../http/support.ts';

let workbench: TestWorkbench;
let task: Task;
let job: Job;
beforeAll(async () => {
  workbench = await startWorkbench();
});
afterAll(() => workbench.stop());

beforeEach(async () => {
  const made = { name: 'replacing', labels: [{ name: 'car' }], segment_size: 2 };
  task = await workbench.owner.taskWithImages(made, await makeImages(4));
  [job] = (await workbench.owner.jobs(task.id)) as [Job];
  const [car] = await workbench.owner.labels(task.id);
  const shapes = Array.from({ length: 7 }, (_, x) => ({
    type: 'rectangle' as const,
    frame: x % 2,
    label_id: car!.id,
    points: [x, 1, x + 20, 30],
  }));
  await workbench.owner.changeAnnotations('jobs', job.id, 'create', { shapes });
});

const coco = (names: readonly string[], count = names.length) =>
  JSON.stringify({
    images: names.map((file_name, index) => ({ id: index + 1, file_name, width: 320, height: 240 })),
    categories: [{ id: 1, name: 'car' }],
    annotations: Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      image_id: (index % names.length) + 1,
      category_id: 1,
      bbox: [index % 100, 10, 20, 20.5],
      area: 410,
      iscrowd: 0,
    })),
  });
const image = (index: number) => `image-00${index}.jpg`;

async function send(content: string, query: Readonly<Record<string, string>> = {}): Promise<Request> {
  const { owner } = workbench;
  const path = join(workbench.dataDir, 'sent.json');
  writeFileSync(path, content);
  return owner.ended(await owner.startImport('jobs', job.id, 'COCO 1.0', { path }, query));
}
const read = () => workbench.owner.annotations('jobs', job.id);
const changes = async () =>
  (
    await workbench.owner.good<{ results: AnnotationChange[] }>('GET', '/api/limner/annotation-changes', {
      query: { job_id: job.id },
    })
  ).results;
const undoChange = async (change: AnnotationChange | undefined) =>
  (
    await workbench.owner.good<{ change: AnnotationChange | null }>(
      'POST',
      `/api/limner/annotation-changes/${change?.id}/undo`,
    )
  ).change;

describe('an import that would replace annotations by nothing', () => {
  test.each([
    [
      'whose images are others',
      () => coco(['other.jpg', 'another.jpg']),
      /2 records could not be read \(the first: sent\.json at /,
    ],
    ['that is empty', () => coco([image(0), image(1)], 0), /it has no annotations/],
    ['that is of another job', () => coco([image(2), image(3)]), /could not be read|not in the job/],
  ])('from a file %s stops, keeps existing annotations, and says why', async (_what, file, reason) => {
    const before = await read();
    const request = await send(file());
    expect(request.status).toBe('failed');
    expect(request.message).toMatch(/^Cannot use sent\.json as COCO 1\.0: /);
    expect(request.message).toMatch(reason);
    expect(request.message).toContain(
      'stopped before it replaced anything: the 7 annotations of the job are unchanged',
    );
    expect(request.message).toContain('to delete annotations on purpose, use "Clear annotations"');
    expect(await read()).toEqual(before);
    expect(await changes()).toEqual([]);
    const report = await workbench.owner.report(request.id);
    expect(report.included).toEqual([]);
  });

  test('says so in a dry run', async () => {
    const request = await send(coco(['other.jpg']), { dry_run: 'true', import_mode: 'replace' });
    expect(request.status).toBe('finished');
    const { warnings } = await workbench.owner.report(request.id);
    expect(warnings[0]).toContain('would stop here and keep the 7 annotations of the job');
    const added = await send(coco(['other.jpg']), { dry_run: 'true', import_mode: 'append' });
    expect((await workbench.owner.report(added.id)).warnings).toEqual(warnings.slice(1));
  });

  test('runs if there are no annotations yet, and if it only appends', async () => {
    expect((await send(coco(['other.jpg']), { import_mode: 'append' })).status).toBe('finished');
    await workbench.owner.clearAnnotations('jobs', job.id);
    expect((await send(coco(['other.jpg']))).status).toBe('finished');
  });
});

describe('an import', () => {
  test('that replaces can be undone, after a restart too', async () => {
    const before = await read();
    expect((await send(coco([image(0), image(1)], 3))).status).toBe('finished');
    const after = await read();
    expect(after.shapes).toHaveLength(3);
    const [change] = await changes();
    expect(change).toMatchObject({
      kind: 'import',
      effect: 'replace',
      detail: 'sent.json',
      object_count: 7,
      job_id: job.id,
      user: { username: 'admin' },
    });
    workbench = await workbench.restart();
    const undo = await undoChange(change);
    expect(await read()).toEqual(before);
    await undoChange(undo ?? undefined);
    expect(await read()).toEqual(after);
  });

  test('that appends can be undone: its objects are deleted, edits of others stay', async () => {
    await send(coco([image(0), image(1)], 3), { import_mode: 'append' });
    const { shapes } = await read();
    expect(shapes).toHaveLength(10);
    const [first] = shapes.filter(({ source }) => source === 'manual');
    await workbench.owner.changeAnnotations('jobs', job.id, 'update', {
      shapes: [{ ...first!, points: [0, 0, 9, 9] }],
    });
    const [change] = await changes();
    expect(change).toMatchObject({ kind: 'import', effect: 'remove', object_count: 3 });
    const undo = await undoChange(change);
    const left = await read();
    expect(left.shapes).toHaveLength(7);
    expect(left.shapes.find(({ id }) => id === first!.id)?.points).toEqual([0, 0, 9, 9]);
    await undoChange(undo ?? undefined);
    expect((await read()).shapes).toHaveLength(10);
  });
});

describe('a dry run', () => {
  interface Stored {
    readonly pages: number;
    readonly sequence: unknown;
    readonly counts: readonly number[];
  }

  function stored(): Stored {
    const database = new BetterSqlite3(join(workbench.dataDir, 'db', 'limner.sqlite'), { readonly: true });
    try {
      const tables = ['annotation_set', 'shape', 'shape_frame', 'tag', 'track', 'tracked_shape', 'label'];
      return {
        pages: Number(database.pragma('page_count', { simple: true })),
        sequence: database.prepare('SELECT name, seq FROM sqlite_sequence ORDER BY name').all(),
        counts: tables.map((table) => Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get())),
      };
    } finally {
      database.close();
    }
  }

  test('writes no row and allocates no id, and reports the result of the later import', async () => {
    const many = coco([image(0), image(1), image(3), 'other.jpg'], 8000).replace('"car"', '"bus"');
    const options = JSON.stringify({ create_labels: 'all' });
    // The first request of its kind may create additional data.
    await send(many, { dry_run: 'true', options, import_mode: 'append' });
    const before = stored();
    const checked = await send(many, { dry_run: 'true', options, import_mode: 'append' });
    expect(checked.status).toBe('finished');
    expect(checked.message).toContain('objects can be imported');
    const { counts, ...after } = stored();
    expect({ ...after, counts: [] }).toEqual({ ...before, counts: [] });
    // There may be fewer rows, because a background task deletes annotations that earlier imports replaced.
    expect(counts.map((count, index) => Math.max(count, before.counts[index] ?? 0))).toEqual(before.counts);
    expect(await changes()).toEqual([]);

    const imported = await send(many, { options, import_mode: 'append' });
    const reports = (await Promise.all(
      [checked, imported].map(({ id }) => workbench.owner.report(id)),
    )) as (ImportReport & { preview?: unknown })[];
    const { preview, ...tried } = reports[0]!;
    expect(preview).toBeDefined();
    expect(tried).toEqual(reports[1]);
    const total = tried.included.reduce((sum, { count }) => sum + count, 0);
    expect((await read()).shapes).toHaveLength(7 + total);
  });
});
