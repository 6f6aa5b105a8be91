import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { makeImages, writeImages } from '../../support/images.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const folder = sharedFolder();
const dataDir = join(folder, 'data');
const limner = (...args: string[]) => runLimner([...args, '--data-dir', dataDir]);

async function newTask(name: string, ...paths: string[]): Promise<string> {
  const { output } = await limner('create-task', name, ...paths, '--label', 'car', '--json');
  return String((JSON.parse(output) as { id: number }).id);
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
    expect(errorOutput).toContain('Cannot add images: the frames of this task come from a video.');
    expect(exitCode).toBe(3);
  });

  it('refuses a video for a task of images', async () => {
    const { exitCode, errorOutput } = await limner('add', images, video);
    expect(errorOutput).toContain('it is a video, and a task with images accepts only images. Create a task for the');
    expect(exitCode).not.toBe(0);
  });

  it('adds the images beside a video and names the video as left out', async () => {
    const { exitCode, output, errorOutput } = await limner('add', images, video, photos);
    expect(output).toContain('Added 2 images.');
    expect(output).toContain('has 3 frames');
    expect(errorOutput).toContain('is a video among images; create a separate task for it.');
    expect(exitCode).toBe(0);
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
