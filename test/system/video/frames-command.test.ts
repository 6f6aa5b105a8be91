import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const folder = sharedFolder();
const dataDir = join(folder, 'data');
const limner = (...args: string[]) => runLimner([...args, '--data-dir', dataDir]);

describe('limner frames', () => {
  const video = join(folder, 'video.mkv');
  let task: string;

  beforeAll(async () => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=30', '-frames:v', '40'];
    await run('ffmpeg', ['-v', 'error', '-y', ...source, '-c:v', 'mpeg4', '-q:v', '2', video]);
    const made = await limner('create-task', 'a video', video, '--label', 'car', '--json');
    expect(made.errorOutput).not.toMatch(/could not/);
    task = String((JSON.parse(made.output) as { id: number }).id);
  });

  it('counts them', async () => {
    const { exitCode, output } = await limner('frames', task, '--frames', '0-20:10, 39', '--count');
    expect(output).toBe('4 of 40 frames\n');
    expect(exitCode).toBe(0);
  });

  it('creates a task of every tenth', async () => {
    const { exitCode, output } = await limner('frames', task, '--every', '10', '--to-task', 'Stills');
    expect(output).toMatch(/^Task \d+ "Stills" with 4 frames$/m);
    expect(exitCode).toBe(0);
  });

  it('writes them into a folder, whose files it never replaces', async () => {
    const target = join(folder, 'here', 'stills');
    const done = await limner('frames', task, '--frames', '3, 38-', '--image', 'png', '--output', target);
    expect(done.output).toBe(`Saved 3 images in ${target}\n`);
    expect(readdirSync(target).toSorted()).toEqual(['frame_000003.png', 'frame_000038.png', 'frame_000039.png']);
    const again = await limner('frames', task, '--frames', '3, 4', '--image', 'png', '--output', target);
    expect(again.exitCode).toBe(3);
    expect(again.errorOutput).toContain('frame_000003.png already exists. Nothing was written');
    expect(readdirSync(target)).toHaveLength(3);
    expect(readdirSync(join(folder, 'here'))).toEqual(['stills']);
  });

  it('writes them into an archive', async () => {
    const archive = join(folder, 'stills.zip');
    const { output } = await limner('frames', task, '--every', '20', '--output', archive);
    expect(output).toBe(`Saved ${archive}\n`);
    expect(existsSync(archive)).toBe(true);
  });

  it('refuses missing objects', async () => {
    const outside = await limner('frames', task, '--frames', '0-40', '--to-task', 'none');
    expect(outside.errorOutput).toContain('Frame 40 does not exist: the frames are 0 to 39.');
    expect(outside.exitCode).toBe(3);
    const nothing = await limner('frames', task, '--annotated', '--to-task', 'none');
    expect(nothing.errorOutput).toContain('No frames selected');
    const missing = await limner('frames', '999', '--count');
    expect(missing.errorOutput).toContain('No task with id 999');
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    expect((await limner('frames', task, '--output', file)).errorOutput).toContain('is a file. Give a folder');
  });

  it('an export with images says that only annotated frames are written, unless all are wanted', async () => {
    const options = ['export', '--task', task, '--format', 'COCO 1.0', '--save-images', '--output', folder];
    const some = await limner(...options);
    expect(some.errorOutput).toContain(
      '0 of 40 frames have annotations and are exported. Use --all-frames to export all.',
    );
    expect(some.errorOutput).toContain('No frame has annotations');
    expect(some.exitCode).toBe(3);
    const all = await limner(...options, '--all-frames');
    expect(all.exitCode).toBe(0);
    expect(all.errorOutput).not.toContain('--all-frames');
  });
});
