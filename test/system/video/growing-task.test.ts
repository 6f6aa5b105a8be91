import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { makeImages, writeImages } from '../../support/images.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const folder = sharedFolder();
const dataDir = join(folder, 'data');
const limner = (...args: string[]) => runLimner([...args, '--data-dir', dataDir]);

async function newTask(name: string, ...paths: string[]): Promise<string> {
  const { output } = await limner('create-task', name, ...paths, '--label', 'car', '--json');
  return String((JSON.parse(output) as { id: number }).id);
}

/** Names of the frames of a task, from an export. */
async function namesOf(id: string): Promise<string[]> {
  const file = join(folder, `${randomUUID()}.zip`);
  const { exitCode, errorOutput } = await limner(
    'export',
    '--task',
    id,
    '--format',
    'CVAT for images 1.1',
    '--output',
    file,
  );
  if (exitCode !== 0) throw new Error(errorOutput);
  const xml = (await entriesOf(readFileSync(file)))['annotations.xml']?.toString() ?? '';
  return [...xml.matchAll(/<image id="\d+" name="([^"]+)"/g)].map(([, name = '']) => name);
}

describe('a task that grows, and a video', () => {
  const video = join(folder, 'video.mkv');
  const photos = join(folder, 'photos');
  let film: string;
  let images: string;
  let first: string;

  beforeAll(async () => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=30', '-frames:v', '4'];
    await run('ffmpeg', ['-v', 'error', '-y', ...source, '-c:v', 'mpeg4', video]);
    mkdirSync(photos);
    [first = ''] = await writeImages(photos, await makeImages(2));
    film = await newTask('film', video);
    images = await newTask('images', first);
  });

  it('refuses images for a task of a video', async () => {
    const { exitCode, errorOutput } = await limner('add', film, first);
    expect(errorOutput).toContain(
      'Cannot add images: the frames of this task come from a video, and images have no place',
    );
    expect(exitCode).toBe(3);
  });

  it('adds the frames of a video behind images, by their number in the video', async () => {
    const { exitCode, output, errorOutput } = await limner('add', images, video);
    expect(exitCode, errorOutput).toBe(0);
    expect(output).toContain('Added 4 images.');
    expect(output).toContain('has 5 frames');
    expect(errorOutput).toContain('4 of the 4 frames of video.mkv became images.');
    expect(await namesOf(images)).toEqual(['image-000.jpg', ...[0, 1, 2, 3].map((n) => `video_00000${n}.jpg`)]);
  });

  it('skips frames that the task has, and adds every n-th frame under other names on request', async () => {
    const again = await limner('add', images, video);
    expect(again.output).toContain('Skipped 4 images whose names exist.');
    const { output } = await limner('add', images, video, '--every', '3', '--existing', 'keep-both');
    expect(output).toContain('Added 2 images.');
    expect((await namesOf(images)).slice(5)).toEqual(['video_000000_2.jpg', 'video_000003_2.jpg']);
  });

  it('adds frames of several videos and images together, and names a video that cannot be read', async () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(join(mixed, 'sub'), { recursive: true });
    copyFileSync(video, join(mixed, 'a.mkv'));
    copyFileSync(video, join(mixed, 'sub', 'a.mkv'));
    copyFileSync(first, join(mixed, 'still.jpg'));
    writeFileSync(join(mixed, 'broken.mkv'), readFileSync(video).subarray(0, 300));
    const task = await newTask('mixed', first);
    const { exitCode, output, errorOutput } = await limner('add', task, mixed, '--every', '2', '--sort', 'natural');
    expect(exitCode, errorOutput).toBe(0);
    expect(output).toContain('Added 5 images.');
    expect(errorOutput).toMatch(/broken\.mkv: /);
    expect((await namesOf(task)).slice(1)).toEqual([
      'a_000000.jpg',
      'a_000002.jpg',
      'still.jpg',
      'sub/a_000000.jpg',
      'sub/a_000002.jpg',
    ]);
  });

  it('refuses to remove frames of a video for good', async () => {
    const { exitCode, errorOutput } = await limner('remove', film, '--frames', '1', '--yes');
    expect(errorOutput).toContain('the frames of this task are in one video file, so no disk space would be freed');
    expect(exitCode).toBe(3);
  });

  it('says what a removal of images would do, does it with --yes, and undoes it', async () => {
    const copied = await newTask('copied', '--copy', photos);
    const would = await limner('remove', copied, '--frames', '0-1');
    expect(would.output).toMatch(
      /^Would remove 2 images and 0 annotations, \d+\.\d MB\.\nAdd --yes to remove them\.\n$/,
    );
    const { output } = await limner('remove', copied, '--frames', '1', '--yes');
    expect(output).toMatch(/^Removed 1 image and 0 annotations, /);
    expect((await limner('remove', copied, '--deleted')).output).toContain('None of these frames has an image.');
    expect((await limner('undo', '--task', copied)).output).toContain('Undone: removed or replaced images (');
    expect((await limner('remove', copied, '--frames', '1')).output).toContain('Would remove 1 image');
  });
});
