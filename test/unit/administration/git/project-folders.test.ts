import { expect, test } from 'vitest';
import { byTask, folderFor, isOfTask } from '../../../../main/git-sync/project-folders.ts';

test("the folder of a task has the task's name, valid on every system, and is unique", () => {
  expect(folderFor('Pier North, camera 2', [])).toBe('Pier-North-camera-2');
  expect(folderFor('Häfen & Kräne', [])).toBe('Häfen-Kräne');
  expect(folderFor('../.git', [])).toBe('git');
  expect(folderFor('***', [])).toBe('task');
  expect(folderFor('pier', ['Pier', 'pier-2'])).toBe('pier-3');
});

test('files of a project are those of its tasks, one by one; others are ignored', () => {
  const files = ['pier/limner.json', 'pier/frames/000001.json', 'quay/limner.json'];
  const others = ['README.md', 'limner.json', 'pier/photo.jpg', 'pier/deep/limner.json'];
  expect([...files, ...others].filter(isOfTask)).toEqual(files);
  const folders = byTask(new Map(files.map((path) => [path, path])));
  expect([...folders].map(([name, own]) => [name, ...own.keys()])).toEqual([
    ['pier', 'limner.json', 'frames/000001.json'],
    ['quay', 'limner.json'],
  ]);
});
