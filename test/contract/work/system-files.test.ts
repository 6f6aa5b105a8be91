import { expect, test } from 'vitest';
import { makeZip } from '../../support/craft-zip.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();

const png = await picture('a');
/** Files that macOS and Windows add to folders and archives. */
const systemFiles = {
  '__MACOSX/._d': 'x',
  '__MACOSX/images/._a.png': png,
  'images/.DS_Store': 'x',
  'images/._a.png': png,
  'images/Thumbs.db': 'x',
  'images/desktop.ini': 'x',
  'labels/.DS_Store': 'x',
  'labels/Thumbs.db': 'x',
  'labels/._a.txt': '0 0.5 0.5 0.2 0.2\n',
};
const dataset = {
  'data.yaml': 'train: images\nnames: {0: cat}\n',
  'images/a.png': png,
  'labels/a.txt': '0 0.5 0.5 0.2 0.2\n',
};
const format = 'Ultralytics YOLO Detection 1.0';

test('ignores files of macOS and Windows in a dataset', async () => {
  const { id } = await work.owner.createProject('p', []);
  const request = await work.importDataset(id, format, {
    name: 'd.zip',
    bytes: makeZip({ ...systemFiles, ...dataset }),
  });
  expect(request).toMatchObject({ status: 'finished' });
  const [task, ...others] = await work.tasksOf(id);
  expect(others).toEqual([]);
  expect((await work.owner.meta('tasks', task!.id)).frames?.map(({ name }) => name)).toEqual(['a.png']);
  expect((await work.owner.annotations('tasks', task!.id)).shapes).toHaveLength(1);
  expect(await work.owner.report(request.id)).toMatchObject({ invalid: [], dropped: [], warnings: [] });
});

test('ignores files of macOS and Windows in an archive of images, and in annotations', async () => {
  const bytes = makeZip({ ...systemFiles, 'images/a.png': png });
  const task = await work.owner.taskWithImages({ labels: [{ name: 'cat' }] }, [{ name: 'd.zip', bytes }]);
  expect((await work.owner.meta('tasks', task.id)).frames?.map(({ name }) => name)).toEqual(['images/a.png']);
  const file = { name: 'd.zip', bytes: makeZip({ ...systemFiles, ...dataset }) };
  const { body } = await work.sendFile(`/api/tasks/${task.id}/annotations/`, 'annotation_file', file, { format });
  const request = await work.owner.ended((body as { rq_id: string }).rq_id);
  expect((await work.owner.annotations('tasks', task.id)).shapes).toHaveLength(1);
  expect(await work.owner.report(request.id)).toMatchObject({ invalid: [], dropped: [], warnings: [] });
});

test('ignores files of macOS and Windows in a backup that was packed again', async () => {
  const task = await work.owner.taskWithImages({ labels: [{ name: 'cat' }] }, [{ name: 'a.png', bytes: png }]);
  const started = await work.owner.good<{ rq_id: string }>('POST', `/api/tasks/${task.id}/backup/export`);
  const { result_url: url } = await work.owner.finished(started.rq_id);
  const entries = await entriesOf(await work.owner.bytes(url!));
  const bytes = makeZip({
    '__MACOSX/._task.json': 'x',
    '.DS_Store': 'x',
    'data/.DS_Store': 'x',
    'data/Thumbs.db': 'x',
    'data/._a.png': 'x',
    ...entries,
  });
  const { status, body } = await work.sendFile('/api/tasks/backup/', 'task_file', { name: 'b.zip', bytes });
  expect({ status, body }).toMatchObject({ status: 202 });
  const restored = await work.owner.ended((body as { rq_id: string }).rq_id);
  expect(restored).toMatchObject({ status: 'finished' });
  const tasks = await work.tasks();
  expect((await work.owner.meta('tasks', tasks.at(-1)!.id)).frames?.map(({ name }) => name)).toEqual(['a.png']);
});
