import { afterEach, describe, expect, it } from 'vitest';
import { fixedSizeParts } from '../../../main/media/video/frame-memory.ts';

const sizeBytes = 300_000;
const ownSystem = process.platform;
const setSystem = (value: NodeJS.Platform): void => void Object.defineProperty(process, 'platform', { value });
afterEach(() => setSystem(ownSystem));

/** Output of a program that runs this code: the first and the last byte of each part. */
async function partsOf(code: string, signal?: AbortSignal): Promise<(number | undefined)[][]> {
  const found: (number | undefined)[][] = [];
  const run = { name: 'frames', signal };
  for await (const { data, release } of fixedSizeParts(process.execPath, ['-e', code], run, sizeBytes)) {
    found.push([data.at(0), data.at(-1)]);
    release();
  }
  return found;
}

const writing = (count: number, after = ''): string => `
  const { writeSync } = require('node:fs');
  for (let part = 1; part <= ${count}; part += 1) {
    const bytes = Buffer.alloc(${sizeBytes}, part);
    for (let done = 0; done < bytes.length;) done += writeSync(1, bytes, done);
  }
  ${after}`;

// Windows cannot pass a socket to a program, so the program's own output is read. Simulated here.
describe.each(['linux', 'win32'] as const)('frames from a program, on %s', (system) => {
  it('are read one by one, without a partial last one', async () => {
    setSystem(system);
    const parts = await partsOf(writing(40, `writeSync(1, Buffer.alloc(${sizeBytes - 1}, 99));`));
    expect(parts).toEqual(Array.from({ length: 40 }, (_, index) => [index + 1, index + 1]));
  });

  it('end with its error, and with its reader', async () => {
    setSystem(system);
    await expect(partsOf(writing(3, `console.error('torn'); process.exit(3);`))).rejects.toThrow(/frames.*torn/);
    const controller = new AbortController();
    const reason = new Error('not wanted any more');
    const endless = partsOf(writing(1, 'setInterval(() => {}, 1000);'), controller.signal);
    setTimeout(() => controller.abort(reason), 200);
    await expect(endless).rejects.toBe(reason);
  });
});
