import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLimner } from '../integration/cli/support/run-limner.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImage } from '../support/images.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/** Asynchronous, because a keep-alive connection must not be blocked. */
const run = promisify(execFile);
const labels = [{ name: 'thing' }];
const frames = 120;

describe('damaged media', () => {
  let server: RunningServer;
  let client: TestClient;
  const folder = sharedFolder();
  beforeAll(async () => {
    server = await startServer();
    client = await signIn(server);
  });
  afterAll(async () => {
    await server.stop();
  });

  /** Noise, so that no frame is empty and a third of the bytes contains about a third of the frames. */
  async function makeVideo(name: string, output: readonly string[]): Promise<string> {
    const file = join(folder, name);
    const input = [
      '-f',
      'lavfi',
      '-i',
      `testsrc2=size=320x240:rate=30,noise=alls=20:allf=t`,
      '-frames:v',
      String(frames),
    ];
    await run('ffmpeg', ['-v', 'error', '-y', ...input, ...output, file]);
    return file;
  }
  function changed(file: string, name: string, change: (bytes: Buffer) => Buffer): string {
    const target = join(folder, name);
    writeFileSync(target, change(readFileSync(file)));
    return target;
  }
  const third = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 3));
  const faststart = ['-c:v', 'mpeg4', '-q:v', '6', '-g', '12', '-movflags', '+faststart'];

  async function prepare(file: string, data: object = {}) {
    const { id } = await client.createTask({ labels });
    const request = await client.ended(await client.useServerFiles(id, [file], data));
    return { id, request, size: (await client.task(id)).size };
  }

  it('refuses a truncated video with its readable and stated frames, and accepts it on request', async () => {
    const file = changed(await makeVideo('whole.mp4', faststart), 'cut.mp4', third);
    const { id, request, size } = await prepare(file);
    expect(request.status).toBe('failed');
    expect(request.message).toMatch(/^cut\.mp4 is damaged: it declares 120 frames, and \d+ can be read/);
    expect(request.message).toContain('accept_damaged');
    expect(size).toBeUndefined();

    const accepted = await client.ended(await client.useServerFiles(id, [file], { accept_damaged: true }));
    expect(accepted.status).toBe('finished');
    expect(accepted.message).toContain('it declares 120 frames');
    expect((await client.report(accepted.id)).warnings).toHaveLength(1);
    const read = Number(/and (\d+) can be read/.exec(request.message)?.[1]);
    expect((await client.task(id)).size).toBe(read);
    expect(read).toBeGreaterThan(10);
    expect(read).toBeLessThan(80);
  });

  it('refuses a video with a hole of zeros', async () => {
    const file = changed(await makeVideo('whole-2.mp4', faststart), 'zeros.mp4', (bytes) =>
      bytes.fill(0, Math.floor(bytes.length / 3)),
    );
    const { request } = await prepare(file);
    expect(request.status).toBe('failed');
    expect(request.message).toContain('zeros.mp4 is damaged: it declares 120 frames');
  });

  it.each([
    ['webm', ['-c:v', 'libvpx', '-b:v', '400k', '-deadline', 'realtime', '-cpu-used', '8'], 'is truncated'],
    ['avi', ['-c:v', 'mpeg4', '-q:v', '6', '-g', '12'], 'it declares 120 frames'],
  ])('refuses a truncated %s, and accepts the complete one', async (kind, output, words) => {
    const whole = await makeVideo(`whole.${kind}`, output);
    expect((await prepare(whole)).size).toBe(frames);
    const { request } = await prepare(changed(whole, `cut.${kind}`, third));
    expect(request.status).toBe('failed');
    expect(request.message).toContain(words);
  });

  it('accepts videos that show fewer frames than they contain, or state no number of them', async () => {
    const whole = await makeVideo('whole-3.mp4', faststart);
    const edited = join(folder, 'edited.mp4');
    await run('ffmpeg', ['-v', 'error', '-y', '-ss', '1.1', '-i', whole, '-c', 'copy', edited]);
    const { stdout: stated } = await run('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=nb_frames',
      '-of',
      'csv=p=0',
      edited,
    ]);
    const { size } = await prepare(edited);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(Number(stated));
    const fragmented = join(folder, 'fragmented.mp4');
    await run('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      whole,
      '-c',
      'copy',
      '-movflags',
      'frag_keyframe+empty_moov',
      fragmented,
    ]);
    expect((await prepare(fragmented)).size).toBe(frames);
  });

  it('the command line refuses a truncated image, and accepts it with --accept-damaged', async () => {
    const picture = await makeImage({ width: 640, height: 480, text: 'cut' });
    const file = join(folder, 'cut.jpg');
    writeFileSync(file, third(picture));
    const place = ['--data-dir', server.dataDir];
    const refused = await runLimner(['create-task', 'cut', file, ...place]);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.errorOutput).toContain('cut.jpg is truncated');
    const taken = await runLimner(['create-task', 'cut', file, '--accept-damaged', ...place]);
    expect(taken.errorOutput).toContain('cut.jpg is truncated');
    expect(taken).toMatchObject({ exitCode: 0, output: expect.stringContaining('with 1 frames') });
  });
});
