import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findVideoTools, inputArguments } from '../../../main/media/video/ffmpeg.ts';
import { createVideoReader } from '../../../main/media/video/video.ts';
import { ApiError, signIn, type TestClient } from '../../support/client.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const tools = await findVideoTools();

const playlist = (target: string) =>
  `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`;
const script = (target: string) => `ffconcat version 1.0\nfile '${target}'\n`;
const manifest = (target: string) =>
  `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static"
  mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000"
  width="160" height="48"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`;

/** Each kind with its own extension, and with those of videos. Without restrictions, ffmpeg follows all of them. */
const kinds = [
  { kind: 'a playlist', write: playlist, names: ['p.m3u8', 'p.mp4'], canary: 'canary.ts' },
  { kind: 'a script', write: script, names: ['s.ffconcat', 's.mp4', 's.mkv', 's.avi'], canary: 'canary.ts' },
  { kind: 'a manifest', write: manifest, names: ['m.mpd', 'm.mkv', 'm.avi'], canary: 'canary.mp4' },
];
const cases = kinds.flatMap(({ names, ...kind }) => names.map((name) => ({ ...kind, name })));

describe.skipIf(!tools || process.platform === 'win32')('a file that references others', () => {
  const folder = sharedFolder();
  const bin = join(folder, 'bin');
  const started = join(folder, 'started');
  const requested: string[] = [];
  const elsewhere = createServer((request, response) => {
    requested.push(request.url ?? '');
    response.writeHead(404).end();
  });
  let address: string;
  let whole: string;
  let server: RunningServer;
  let client: TestClient;

  beforeAll(async () => {
    mkdirSync(bin);
    // They log their start, which shows that the earlier checks passed the file.
    for (const program of ['ffmpeg', 'ffprobe'] as const) {
      const text = `#!/bin/sh\necho ${program} >> '${started}'\nexec '${tools?.[program] ?? ''}' "$@"\n`;
      writeFileSync(join(bin, program), text, { mode: 0o755 });
    }
    const input = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=160x48:rate=30', '-frames:v', '30'];
    whole = join(folder, 'whole.mkv');
    await run('ffmpeg', [...input, '-c:v', 'mpeg4', whole]);
    await run('ffmpeg', [...input, '-c:v', 'mpeg2video', join(folder, 'inner-canary.ts')]);
    const fragments = ['-movflags', 'frag_keyframe+empty_moov'];
    await run('ffmpeg', [...input, '-c:v', 'mpeg4', ...fragments, join(folder, 'inner-canary.mp4')]);
    await new Promise<void>((resolve) => {
      elsewhere.listen(0, '127.0.0.1', resolve);
    });
    address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    server = await startServer({ env: { PATH: [bin, process.env['PATH']].join(delimiter) } });
    client = await signIn(server);
  });
  afterAll(async () => {
    elsewhere.close();
    await server.stop();
  });

  /**
   * A pipe with a readable video. Opening it releases the writer, which reports that before it writes a byte. So output
   * from its content comes after the report. Opening it again finds a file and does not block.
   */
  async function withCanary(place: string, name: string, look: () => Promise<void>): Promise<void> {
    const [pipe, mark] = [join(place, name), join(place, 'opened')];
    rmSync(mark, { force: true });
    await run('mkfifo', [pipe]);
    const steps = 'exec 3>"$1"; echo opened >"$2"; cp "$3" "$2.copy"; mv "$2.copy" "$1"; cat "$3" >&3';
    const writer = spawn('sh', ['-c', steps, 'sh', pipe, mark, join(folder, `inner-${name}`)], { stdio: 'ignore' });
    const ended = once(writer, 'exit');
    try {
      await look();
      expect(existsSync(mark), `${name} was opened`).toBe(false);
      expect(requested).toEqual([]);
    } finally {
      writer.kill('SIGKILL');
      await ended;
      rmSync(pipe);
    }
  }

  it('a program that follows references finds the canary', async () => {
    const place = temporaryFolder();
    const file = join(place, 's.mkv');
    writeFileSync(file, script('canary.ts'));
    await expect(
      withCanary(place, 'canary.ts', async () => {
        await run(tools?.ffprobe ?? '', ['-v', 'error', '-show_packets', file]);
      }),
    ).rejects.toThrow('canary.ts was opened');
  });

  it('no address is requested, even if a container with one were accepted', async () => {
    const file = join(temporaryFolder(), 'p.m3u8');
    writeFileSync(file, playlist(`${address}/canary.ts`));
    const walls = inputArguments(file);
    const containers = walls.indexOf('-format_whitelist') + 1;
    const open = walls.with(containers, `${walls[containers] ?? ''},hls`);
    await expect(run(tools?.ffprobe ?? '', ['-v', 'error', '-show_packets', ...open])).rejects.toMatchObject({
      // ffmpeg's default allows more protocols.
      stderr: expect.stringContaining("Protocol 'http' not on whitelist 'file'!"),
    });
    expect(requested).toEqual([]);
  });

  it.each(cases)('$kind, $name: its first bytes are not those of a video, and no program is started', async (one) => {
    const place = temporaryFolder();
    for (const target of [one.canary, `${address}/${one.canary}`]) {
      const file = join(place, one.name);
      writeFileSync(file, one.write(target));
      rmSync(started, { force: true });
      await withCanary(place, one.canary, async () => {
        const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
        const request = await client.ended(await client.useServerFiles(id, [file]));
        expect(request).toMatchObject({ status: 'failed', message: expect.stringContaining(one.name) });
      });
      expect(existsSync(started)).toBe(false);
      expect(readFileSync(file, 'utf8')).toBe(one.write(target));
    }
  });

  it.each(cases)('$kind, $name: ffprobe accepts containers only', async (one) => {
    const place = temporaryFolder();
    for (const target of [one.canary, `${address}/${one.canary}`]) {
      const file = join(place, one.name);
      writeFileSync(file, one.write(target));
      const reader = createVideoReader({ tools: tools ?? { ffmpeg: '', ffprobe: '' }, indexDirectory: place });
      await withCanary(place, one.canary, async () => {
        const refusal = await reader.probe(file, { name: one.name }).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(refusal).toMatchObject({ code: 'invalid', cause: expect.stringContaining('not on whitelist') });
      });
    }
  });

  it.each(cases)('$kind, $name: ffmpeg too, if it replaces a video in use', async (one) => {
    const place = temporaryFolder();
    const file = join(place, one.name);
    copyFileSync(whole, file);
    const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
    await client.finished(await client.useServerFiles(id, [file]));
    const frame = (number: number) => client.bytes(`/api/tasks/${id}/data/?type=frame&number=${number}`);
    await frame(20);
    for (const target of [one.canary, `${address}/${one.canary}`]) {
      writeFileSync(file, one.write(target));
      rmSync(started, { force: true });
      await withCanary(place, one.canary, async () => {
        await expect(frame(20)).rejects.toThrow(ApiError);
      });
      expect(readFileSync(started, 'utf8')).toContain('ffmpeg');
    }
  });
});
