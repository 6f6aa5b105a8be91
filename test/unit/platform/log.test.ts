import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../main/platform/log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let directory: string;
let lines: string[];

beforeEach(() => {
  directory = temporaryFolder();
  lines = [];
});

const collect = (line: string): void => void lines.push(line);
const fileText = (name = 'limner.log'): string => readFileSync(join(directory, name), 'utf8');

describe('the log', () => {
  it('writes one JSON object per line and shows users a short one', () => {
    const log = createLogger({ directory, console: collect, now: () => new Date('2026-01-02T03:04:05Z') });
    log.child({ requestId: 'r1' }).warn('The queue is long', { length: 12 });
    log.close();
    const line: unknown = JSON.parse(fileText());
    expect(line).toEqual({
      time: '2026-01-02T03:04:05.000Z',
      level: 'warn',
      message: 'The queue is long',
      requestId: 'r1',
      length: 12,
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/warn {2}The queue is long \(requestId=r1 length=12\)$/);
  });

  it('shows debug lines only in the file', () => {
    const log = createLogger({ directory, console: collect });
    log.debug('a detail');
    log.close();
    expect(lines).toEqual([]);
    expect(fileText()).toContain('a detail');
  });

  it.skipIf(process.platform === 'win32')('is readable by its owner only', () => {
    const log = createLogger({ directory: join(directory, 'logs'), console: null });
    log.info('x');
    log.close();
    expect(statSync(join(directory, 'logs')).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'logs', 'limner.log')).mode & 0o777).toBe(0o600);
  });

  it('rotates by size, keeps the newest files and loses no line of them', () => {
    const log = createLogger({ directory, console: null, maxSizeBytes: 400, keptFiles: 2 });
    for (let index = 0; index < 40; index += 1) log.info(`line ${index}`);
    log.close();
    expect(readdirSync(directory).sort()).toEqual(['limner.1.log', 'limner.2.log', 'limner.log']);
    const kept = ['limner.2.log', 'limner.1.log', 'limner.log'].flatMap((name) =>
      fileText(name)
        .trim()
        .split('\n')
        .map((line) => Number(/line (\d+)/.exec(line)?.[1])),
    );
    expect(kept.at(-1)).toBe(39);
    expect(kept).toEqual(kept.map((_value, index) => (kept[0] ?? Number.NaN) + index));
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).size).toBeLessThanOrEqual(400);
  });

  it('continues the file of an earlier run', () => {
    for (const run of ['first', 'second']) {
      const log = createLogger({ directory, console: null });
      log.info(run);
      log.close();
    }
    expect(fileText().trim().split('\n')).toHaveLength(2);
  });

  it('never stops the program when the file cannot be written', () => {
    const blocked = join(directory, 'file');
    writeFileSync(blocked, 'not a folder');
    const log = createLogger({ directory: blocked, console: collect });
    log.error('still shown');
    log.close();
    expect(lines[0]).toContain('still shown');
  });

  it('accepts values that JSON cannot contain', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const log = createLogger({ directory, console: null });
    log.info('odd', { big: 10n, loop, bytes: new Uint8Array(3) });
    log.close();
    expect(JSON.parse(fileText())).toMatchObject({ big: '10', bytes: '[3 bytes]' });
  });
});
