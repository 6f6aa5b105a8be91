import { expect, test } from 'vitest';
import { readBackupKind } from '../../../../preload/contract/backup-kind.ts';
import { makeZip } from '../../../support/craft-zip.ts';

const zipOf = (...names: readonly string[]) => makeZip(Object.fromEntries(names.map((name) => [name, '{}'])));
const kindOf = (bytes: Buffer) =>
  readBackupKind((start, end) => Promise.resolve(new Uint8Array(bytes.subarray(start, end))), bytes.length);

test.each([
  ['a task', zipOf('data/a.jpg', 'task.json', 'annotations.json'), 'task'],
  ['a project', zipOf('project.json', 'task_0/task.json', 'task_0/annotations.json'), 'project'],
  ['a project without tasks', zipOf('project.json'), 'project'],
  ['pictures', zipOf('a.jpg', 'b.jpg'), null],
  ['pictures with a file of that name', zipOf('a.jpg', 'task.json'), null],
  ['a backup in a folder, which is none', zipOf('old/task.json', 'old/annotations.json'), null],
  ['a cut zip', zipOf('task.json', 'annotations.json').subarray(0, -8), null],
  ['a text', Buffer.from('task.json and annotations.json '.repeat(9)), null],
  ['nothing', Buffer.alloc(0), null],
] as const)('the kind of a backup is identified by its list of entries: %s', async (_what, bytes, kind) => {
  expect(await kindOf(Buffer.from(bytes))).toBe(kind);
});

test('the end of a zip may state a wrong position of its list', async () => {
  const bytes = zipOf('task.json', 'annotations.json');
  bytes.writeUInt32LE(0xfffffff0, bytes.length - 6);
  expect(await kindOf(bytes)).toBeNull();
});
