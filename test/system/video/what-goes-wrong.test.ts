import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findVideoTools } from '../../../main/media/video/ffmpeg.ts';
import { shownBy } from '../../support/counter-video.ts';
import { ApiError, signIn, type TestClient } from '../../support/client.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

/** Asynchronous, because a keep-alive connection must not be blocked. */
const run = promisify(execFile);
const tools = await findVideoTools();
const frames = 120;

describe.skipIf(!tools || process.platform === 'win32')('a video', () => {
  const folder = sharedFolder();
  const bin = join(folder, 'bin');
  const flag = (program: string) => join(folder, `end-${program}`);
  const env = { PATH: [bin, process.env['PATH']].join(delimiter) };
  let server: RunningServer;
  let client: TestClient;
  let whole: string;

  async function makeCounter(name: string, output: readonly string[]): Promise<string> {
    const file = join(folder, name);
    const columns = "geq=lum='if(mod(floor(N/pow(2,floor(X*8/W))),2),235,16)':cb=128:cr=128";
    const input = ['-f', 'lavfi', '-i', `color=black:size=160x48:rate=30,${columns}`];
    await run('ffmpeg', ['-v', 'error', '-y', ...input, ...output, file]);
    return file;
  }

  beforeAll(async () => {
    mkdirSync(bin);
    for (const program of ['ffmpeg', 'ffprobe'] as const) {
      const script = `#!/bin/sh\nif [ -e '${flag(program)}' ]; then kill -9 $$; fi\nexec '${tools?.[program] ?? ''}' "$@"\n`;
      writeFileSync(join(bin, program), script, { mode: 0o755 });
    }
    whole = await makeCounter('whole.mkv', ['-frames:v', String(frames), '-c:v', 'mpeg4', '-q:v', '2', '-g', '12']);
    server = await startServer({ env });
    client = await signIn(server);
  });
  afterAll(async () => {
    await server.stop();
  });

  async function prepare(file: string, data: object = {}) {
    const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
    return { id, request: await client.ended(await client.useServerFiles(id, [file], data)) };
  }
  const frame = (task: number, number: number) =>
    client.bytes(`/api/tasks/${task}/data/?type=frame&number=${number}&quality=compressed`);
  async function refusal(answer: Promise<unknown>): Promise<{ status: number; words: string }> {
    const error = await answer.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof ApiError)) throw new Error('This was not refused.');
    return { status: error.status, words: JSON.stringify(error.body) };
  }
  async function refused(file: string): Promise<string> {
    const { id, request } = await prepare(file);
    expect(request.status).toBe('failed');
    expect((await client.task(id)).size).toBeUndefined();
    expect(existsSync(file)).toBe(true);
    return request.message;
  }
  async function goesOn(): Promise<void> {
    const { id, request } = await prepare(whole);
    expect(request.status).toBe('finished');
    expect(await shownBy(await frame(id, 77))).toBe(77);
  }

  it('without frames is refused with the reason', async () => {
    const sound = join(folder, 'sound.mp4');
    await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'aac', sound]);
    expect(await refused(sound)).toContain('sound.mp4 contains no video');
    const empty = join(folder, 'empty.mkv');
    await run('ffmpeg', ['-v', 'error', '-i', whole, '-c', 'copy', '-frames:v', '0', empty]).catch(() => undefined);
    if (!existsSync(empty)) writeFileSync(empty, readFileSync(whole).subarray(0, 600));
    expect(await refused(empty)).toMatch(/empty\.mkv (contains no video frame|cannot be read as a video)/);
    await goesOn();
  });

  it('with a hole in its middle is refused with the readable frames, and accepted on request', async () => {
    const input = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=30,noise=alls=20:allf=t', '-frames:v', '120'];
    const source = join(folder, 'noise.mp4');
    await run('ffmpeg', ['-v', 'error', ...input, '-c:v', 'mpeg4', '-q:v', '6', '-g', '12', source]);
    const bytes = readFileSync(source);
    const hole = join(folder, 'hole.mp4');
    writeFileSync(hole, bytes.fill(0, Math.floor(bytes.length * 0.4), Math.floor(bytes.length * 0.6)));
    expect(await refused(hole)).toMatch(/^hole\.mp4 is damaged: it declares 120 frames, and \d+ can be read/);
    expect((await prepare(hole, { accept_damaged: true })).request.status).toBe('finished');
  });

  it('of ten hours becomes a task like any other', async () => {
    const part = await makeCounter('part.mp4', [
      '-frames:v',
      '256',
      '-c:v',
      'mpeg4',
      '-q:v',
      '2',
      '-g',
      '32',
      '-bf',
      '0',
    ]);
    const long = join(folder, 'long.mp4');
    const slow = join(folder, 'slow.mp4');
    await run('ffmpeg', ['-v', 'error', '-itsscale', '30', '-i', part, '-c', 'copy', slow]);
    await run('ffmpeg', ['-v', 'error', '-stream_loop', '140', '-i', slow, '-c', 'copy', long]);
    const { id, request } = await prepare(long);
    expect(request.message).toBe('');
    expect((await client.task(id)).size).toBe(141 * 256);
    for (const number of [141 * 256 - 1, 0, 20_000]) expect(await shownBy(await frame(id, number))).toBe(number % 256);
  });

  it('whose decoder is killed is not reported as damaged, and is read again', async () => {
    const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
    writeFileSync(flag('ffprobe'), '');
    const ended = await client.ended(await client.useServerFiles(id, [whole]));
    rmSync(flag('ffprobe'));
    expect(ended.status).toBe('failed');
    expect(ended.message).toMatch(/^ffprobe was ended by the system \(SIGKILL\) while it read whole\.mkv\..*Try again/);
    await client.finished(await client.useServerFiles(id, [whole]));

    writeFileSync(flag('ffmpeg'), '');
    const { status, words } = await refusal(frame(id, 50));
    rmSync(flag('ffmpeg'));
    expect(status).toBe(503);
    expect(words).toContain('ffmpeg was ended by the system (SIGKILL)');
    expect(await shownBy(await frame(id, 50))).toBe(50);
    await goesOn();
  });

  it('without ffmpeg keeps its task and its annotations, and says what to install', async () => {
    const { id } = await prepare(whole);
    const [label] = await client.labels(id);
    const tag = { frame: 3, label_id: label?.id ?? 0, attributes: [] };
    await client.changeAnnotations('tasks', id, 'create', { version: 0, tags: [tag], shapes: [], tracks: [] });
    const { dataDir } = server;
    await server.kill9();
    server = await startServer({ dataDir, env: { PATH: join(folder, 'nothing') } });
    client = await signIn(server);
    const { status, words } = await refusal(frame(id, 60));
    expect(status).toBe(503);
    expect(words).toMatch(/a frame of a video, and ffmpeg was not found\. Install ffmpeg.*all annotations are kept/);
    const preview = await refusal(client.bytes(`/api/tasks/${id}/preview`));
    expect(preview).toEqual({ status, words });
    expect((await client.annotations('tasks', id)).tags).toHaveLength(1);
    expect(await refused(whole)).toMatch(/ffmpeg was not found\. Install ffmpeg/);
    await server.stop();
    const half = join(folder, 'half');
    mkdirSync(half);
    symlinkSync(tools?.ffmpeg ?? '', join(half, 'ffmpeg'));
    server = await startServer({ dataDir, env: { PATH: half } });
    client = await signIn(server);
    expect((await refusal(frame(id, 60))).words).toContain('and ffprobe was not found. Install ffmpeg');
    await server.stop();
    server = await startServer({ dataDir, env });
    client = await signIn(server);
    expect(await shownBy(await frame(id, 60))).toBe(60);
  });
});
