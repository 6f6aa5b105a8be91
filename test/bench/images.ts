import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { pngHeader } from '../support/png-header.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { createRandom } from '../support/random.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { tokenHeader } from './edit.ts';
import { createHttpProbe } from './support/http-probe.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, inMegabytes, inMilliseconds, inSeconds, percentile } from './support/statistics.ts';
import { startSteadyProbe } from './support/steady-probe.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const light = { method: 'GET', path: '/api/users/self', everyMs: 10 } as const;
const idleMs = 5000;
const memoryEveryMs = 10;

interface Picture {
  readonly name: string;
  readonly make: (file: string) => Promise<unknown>;
}

/** Images that are hard on decoders and servers. `--scale 0.1` creates them with a tenth of the pixels. */
function pictures(scale: number): Picture[] {
  const side = Math.round(14_000 * Math.sqrt(scale));
  const [width, height] = [Math.round(8000 * Math.sqrt(scale)), Math.round(6000 * Math.sqrt(scale))];
  const flat = () =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#336699' }, limitInputPixels: false });
  const noise = (channels: 1 | 3) => {
    const random = createRandom(1);
    const values = Uint16Array.from({ length: width * height * channels }, () => random() * 65_536);
    const raw = { width, height, channels };
    return sharp(values, { raw, limitInputPixels: false }).toColourspace(channels === 1 ? 'grey16' : 'rgb16');
  };
  return [
    { name: 'a header alone that states 144 megapixels', make: (file) => writeFile(file, pngHeader(12_000, 12_000)) },
    {
      name: 'flat gray PNG, 196 megapixels',
      make: (file) => flat().toColourspace('b-w').png({ compressionLevel: 9 }).toFile(file),
    },
    { name: 'flat RGB PNG, 196 megapixels', make: (file) => flat().png({ compressionLevel: 9 }).toFile(file) },
    { name: '16-bit gray PNG, 48 megapixels', make: (file) => noise(1).png({ compressionLevel: 1 }).toFile(file) },
    { name: '16-bit RGB PNG, 48 megapixels', make: (file) => noise(3).png({ compressionLevel: 1 }).toFile(file) },
    { name: '16-bit RGB TIFF, 48 megapixels', make: (file) => noise(3).tiff({ compression: 'none' }).toFile(file) },
    {
      name: 'turned JPEG, 48 megapixels',
      make: (file) =>
        noise(3).toColourspace('srgb').resize(width, height).withMetadata({ orientation: 6 }).jpeg().toFile(file),
    },
  ];
}

/** Measures memory, and latencies of other requests while an image is shown for the first time. */
export async function bench({ scale, entry }: BenchOptions): Promise<void> {
  await withWorkspace(async (folder) => {
    const idle = await inServer(entry, async (server) => {
      const headers = await tokenHeader(server);
      const probe = startSteadyProbe(server.url, headers, light);
      await sleep(idleMs);
      return (await probe.stop()).milliseconds;
    });
    const rows: string[][] = [];
    for (const [index, { name, make }] of pictures(scale).entries()) {
      const file = join(folder, `${index}.${name.includes('TIFF') ? 'tif' : name.includes('JPEG') ? 'jpg' : 'png'}`);
      await make(file);
      rows.push([name, ...(await inServer(entry, (server) => show(server, file, idle)))]);
    }
    printTable(
      'A picture is shown for the first time, and other requests meanwhile',
      [
        '',
        'bytes',
        'answer',
        'preview',
        'frame',
        'peak memory over base',
        'others p99',
        'max',
        'p99 ratio',
        'unanswered',
      ],
      [
        [
          `anchor: the same light request, nothing else (${idle.length})`,
          '',
          '',
          '',
          '',
          '',
          inMilliseconds(percentile(idle, 0.99)),
          inMilliseconds(Math.max(...idle)),
          asRatio(1, 1),
          '0',
        ],
        ...rows,
      ],
    );
    printNote(`Others: ${light.path} every ${light.everyMs} ms, whether or not the last answer has come.`);
  });
}

async function inServer<Result>(
  entry: BenchOptions['entry'],
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  await using server = await startServer({ entry });
  return await work(server);
}

async function show(server: RunningServer, file: string, idle: readonly number[]): Promise<string[]> {
  const client = await signIn(server);
  const headers = await tokenHeader(server);
  const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
  // The decoder is loaded with the first image. Its memory is part of the baseline.
  await warmUp(client);
  const memory = watchMemory(server.pid);
  const probe = startSteadyProbe(server.url, headers, light);
  const made = await client.ended(await client.useServerFiles(id, [file], { copy_data: true }));
  const http = createHttpProbe(server.url, headers);
  const times: string[] = [];
  for (const path of [`/api/tasks/${id}/preview`, `/api/tasks/${id}/data/?type=frame&number=0&quality=compressed`]) {
    const { status, milliseconds } = await http.send('GET', path);
    times.push(status === 200 ? inSeconds(milliseconds) : '–');
  }
  http.close();
  const { milliseconds, failed } = await probe.stop();
  const { size } = await stat(file);
  const p99 = percentile(milliseconds, 0.99);
  return [
    size.toLocaleString('en-US'),
    made.status === 'finished' ? 'task' : 'refused',
    ...times,
    inMegabytes(await memory.stop()),
    inMilliseconds(p99),
    inMilliseconds(Math.max(...milliseconds)),
    asRatio(p99, percentile(idle, 0.99)),
    String(failed),
  ];
}

async function warmUp(client: TestClient): Promise<void> {
  const bytes = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();
  const task = await client.taskWithImages({ labels: [{ name: 'thing' }] }, [{ name: 'a.jpg', bytes }]);
  await client.bytes(`/api/tasks/${task.id}/preview`);
}

/** Samples the resident memory of a process above its current value. The kernel's own peak would include the start. */
function watchMemory(pid: number) {
  const resident = async () => {
    const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? Number.NaN) * 1024;
  };
  const ended = new AbortController();
  const watched = (async () => {
    const base = await resident();
    let most = base;
    while (!ended.signal.aborted) {
      most = Math.max(most, await resident());
      await sleep(memoryEveryMs);
    }
    return Number.isNaN(base) ? null : most - base;
  })();
  return {
    stop(): Promise<number | null> {
      ended.abort();
      return watched;
    },
  };
}
