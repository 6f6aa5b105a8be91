import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../../preload/contract/schema/logs.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { useServer } from '../../support/use-server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const dataDir = join(sharedFolder(), 'data');
const folder = join(dataDir, 'logs');
const server = await useServer({ dataDir });

const get = (path: string): Promise<Response> =>
  fetch(new URL(path, server.url), { headers: { authorization: server.authorization } });
const log = async (query = ''): Promise<Log> => (await get(`/api/limner/log?${query}`)).json() as Promise<Log>;
const line = (fields: object): string => `${JSON.stringify({ time: '2026-01-01T00:00:00.000Z', ...fields })}\n`;

describe('the log', () => {
  it('is read from its end, over rotated files, by level and words', async () => {
    await expect.poll(async () => (await log('search=ready')).results[0]?.message).toBe('Ready');
    const long = 'x'.repeat(700_000);
    const older = line({ level: 'error', message: 'An old error', request: 'an-id', detail: 'ünïcode' });
    writeFileSync(join(folder, 'limner.1.log'), `${older}{"torn\n${line({ level: 'info', message: long })}`);
    writeFileSync(join(folder, 'limner.2.log'), line({ level: 'warn', message: 'Older still' }));

    expect((await log('level=warn')).results.slice(-2)).toEqual([
      {
        time: '2026-01-01T00:00:00.000Z',
        level: 'error',
        message: 'An old error',
        request: 'an-id',
        fields: { detail: 'ünïcode' },
      },
      { time: '2026-01-01T00:00:00.000Z', level: 'warn', message: 'Older still', request: null, fields: {} },
    ]);
    expect((await log('search=AN-ID')).results.map(({ message }) => message)).toEqual(['An old error']);
    expect((await log('search=xxxx')).results[0]?.message).toBe(long);
    const { results, more } = await log('limit=1');
    expect({ count: results.length, more }).toEqual({ count: 1, more: true });
    expect((await log('search=no+such+line')).results).toEqual([]);
  });

  it('is packed into a report whose contents are shown in advance', async () => {
    const described = (await (await get('/api/limner/report')).json()) as {
      entries: { name: string; bytes: number }[];
    };
    expect(described.entries.map(({ name }) => name)).toEqual([
      'about.json',
      'logs/limner.log',
      'logs/limner.1.log',
      'logs/limner.2.log',
    ]);
    const answer = await get('/api/limner/report/file');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="limner-report-[\d-]+\.zip"$/);
    const packed = await entriesOf(Buffer.from(await answer.arrayBuffer()));
    expect(Object.keys(packed)).toEqual(described.entries.map(({ name }) => name));
    expect(packed['logs/limner.2.log']?.toString()).toContain('Older still');
    expect(Buffer.concat(Object.values(packed)).toString()).not.toContain(server.password);
  });

  it('is read and packed beside separate logs of functions and other files', async () => {
    mkdirSync(join(folder, 'functions', 'detector'), { recursive: true });
    writeFileSync(join(folder, 'functions', 'detector', 'deploy.log'), 'deployed');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    writeFileSync(join(folder, 'limner.log.bak'), 'mine');
    expect((await get('/api/limner/log')).status).toBe(200);
    const { entries } = (await (await get('/api/limner/report')).json()) as { entries: { name: string }[] };
    expect(entries.map(({ name }) => name)).toEqual([
      'about.json',
      'logs/limner.log',
      'logs/limner.1.log',
      'logs/limner.2.log',
    ]);
    const packed = await entriesOf(Buffer.from(await (await get('/api/limner/report/file')).arrayBuffer()));
    expect(Object.keys(packed)).toEqual(entries.map(({ name }) => name));
  });
});
