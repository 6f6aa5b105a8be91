import { expect, test } from 'vitest';
import { makeZip } from '../../support/craft-zip.ts';
import { hostileDocuments, type HostileCase } from './hostile-cases.ts';
import { hostileResults } from './hostile-results.ts';
import { hostileTables } from './hostile-tables.ts';
import { type Imported, objectsOf } from './imported-objects.ts';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();

const text = (name: string) => ({ name, input_type: 'text' as const, mutable: false, default_value: '', values: [] });
const attributes = [text('note'), text('colour'), text('transcription')];
const labels = ['cat', 'dog', 'text'].map((name) => ({ name, attributes }));
const images = ['a.png', 'b/c d.png', 'one/x.png', 'two/x.png', '000001.png'];

/** Cases share the task of their images; each deletes what it imported. */
const tasks = new Map<string, Promise<Imported>>();
async function newTask(names: readonly string[]): Promise<Imported> {
  const shown = await Promise.all(names.map(async (name) => ({ name, bytes: await picture(name, 100, 80) })));
  const task = await work.owner.taskWithImages({ labels }, shown);
  return { tasks: [task], labels: await work.labelsOf({ task_id: task.id }) };
}

async function imported({ format, files, into = images, options = {} }: HostileCase) {
  const shared = tasks.get(into.join()) ?? newTask(into);
  tasks.set(into.join(), shared);
  const target = await shared;
  const path = `/api/tasks/${target.tasks[0]!.id}/annotations/`;
  const entries = Object.entries(files);
  const [[name, content] = ['', '']] = entries;
  const isOne = entries.length === 1 && !name.includes('/');
  const file = isOne ? { name, bytes: content } : { name: 'd.zip', bytes: makeZip(files) };
  const query = { format, options: JSON.stringify(options) };
  const { body } = await work.sendFile(path, 'annotation_file', file, query);
  const request = await work.owner.ended((body as { rq_id: string }).rq_id);
  const objects = Object.entries(await objectsOf(work, target, false));
  await work.owner.good('DELETE', path);
  const lines = objects.flatMap(([image, found]) => found.map((one) => `${image}: ${one}`));
  if (request.status === 'failed') return [...lines, `> refused: ${request.message}`];
  const { invalid, dropped, warnings } = await work.owner.report(request.id);
  return [
    ...lines,
    ...invalid.map(({ at, reason }) => `> ${at}: ${reason}`),
    ...dropped.map(({ count, type, label, rule }) => `> ${count} ${type} ${label}: ${rule}`),
    ...warnings.map((warning) => `> ${warning}`),
  ];
}

const rows = [...hostileDocuments, ...hostileTables].map((one) => [`${one.format}: ${one.name}`, one] as const);
test.each(rows)('imports an odd file without a silent change: %s', async (key, one) => {
  expect(await imported(one)).toEqual(hostileResults[key]);
});
