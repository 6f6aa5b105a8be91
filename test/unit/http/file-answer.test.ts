import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attachment, fileAnswer, fileContent, type Content } from '../../../main/http/file-answer.ts';
import { createPages, withHelp } from '../../../main/http/pages.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const whole = Buffer.from(Array.from({ length: 500 }, (_, index) => index % 251));
const folder = sharedFolder();
const path = join(folder, 'file.bin');
writeFileSync(path, whole);

const answer = (content: Content, headers: Record<string, string> = {}, method = 'GET') =>
  fileAnswer(new Request('http://127.0.0.1/file', { headers, method }), {
    content,
    contentType: 'application/octet-stream',
    etag: 'abc',
    cacheControl: 'no-cache',
  });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('parts of a file', () => {
  test('are the same from memory and from disk, for every range', async () => {
    const bound = fc.option(fc.integer({ min: 0, max: 700 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(bound, bound, async (first, last) => {
        const headers = { Range: `bytes=${first ?? ''}-${last ?? ''}` };
        const fromMemory = answer({ bytes: new Uint8Array(whole) }, headers);
        const fromDisk = answer({ path, sizeBytes: whole.length }, headers);
        const expected = expectedPart(first, last);
        expect(fromMemory.status).toBe(expected.status);
        expect(fromDisk.status).toBe(expected.status);
        if (expected.status === 416) {
          expect(fromDisk.headers.get('Content-Range')).toBe('bytes */500');
          expect(await bytesOf(fromDisk)).toHaveLength(0);
          expect(fromDisk.headers.get('Content-Type')).toBeNull();
          return;
        }
        expect((await bytesOf(fromMemory)).equals(expected.bytes)).toBe(true);
        expect((await bytesOf(fromDisk)).equals(expected.bytes)).toBe(true);
        expect(fromDisk.headers.get('Content-Length')).toBe(String(expected.bytes.length));
      }),
      { numRuns: 300 },
    );
  });

  test('of more than one write are sent in chunks, so that others are answered between them', async () => {
    const large = new Uint8Array(1_000_000).map((_, index) => index % 251);
    const pieces: Uint8Array[] = [];
    for await (const piece of answer({ bytes: large }).body ?? []) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(Buffer.from(large))).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(256 * 1024);
  });

  function expectedPart(first: number | undefined, last: number | undefined) {
    if (first === undefined && last === undefined) return { status: 200, bytes: whole };
    if (first === undefined) {
      return last === 0 ? { status: 416, bytes: whole } : { status: 206, bytes: whole.subarray(-(last ?? 0)) };
    }
    if (last !== undefined && last < first) return { status: 200, bytes: whole };
    if (first >= whole.length) return { status: 416, bytes: whole };
    return { status: 206, bytes: whole.subarray(first, last === undefined ? undefined : last + 1) };
  }

  test('are sent only while the file is the same', async () => {
    const range = { Range: 'bytes=0-9' };
    expect(answer({ path, sizeBytes: 500 }, { ...range, 'If-Range': '"abc"' }).status).toBe(206);
    expect(answer({ path, sizeBytes: 500 }, { ...range, 'If-Range': '"other"' }).status).toBe(200);
  });

  test('are empty if the client has it already; no body for HEAD', async () => {
    for (const known of ['"abc"', 'W/"abc"', '"x", "abc"', '*']) {
      expect(answer({ path, sizeBytes: 500 }, { 'If-None-Match': known }).status).toBe(304);
    }
    const head = answer({ path, sizeBytes: 500 }, {}, 'HEAD');
    expect(head.headers.get('Content-Length')).toBe('500');
    expect(await bytesOf(head)).toHaveLength(0);
  });

  test('of an empty file are refused', async () => {
    const empty = join(folder, 'empty');
    writeFileSync(empty, '');
    const { content } = await fileContent(empty);
    const response = answer(content);
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toHaveLength(0);
    expect(answer(content, { Range: 'bytes=0-0' }).status).toBe(416);
  });
});

test('a file that is gone is 404, without its path', async () => {
  await expect(fileContent(join(folder, 'gone'))).rejects.toThrow(/^This file no longer exists\.$/);
});

test('names of downloads have only characters that every client accepts', () => {
  expect(attachment('task_1_über "x"\r\n; a.zip')).toBe('attachment; filename="task_1__ber _x____ a.zip"');
});

describe('the screens', () => {
  test('are the built files and, for addresses without a file name, the application', async () => {
    const built = temporaryFolder();
    writeFileSync(join(built, 'index.html'), '<!doctype html>');
    writeFileSync(join(built, 'index-B3aF9x1Z.js'), 'run()');
    const pages = createPages(built);
    const get = (address: string, headers = {}) =>
      pages(address, new Request(`http://127.0.0.1${address}`, { headers }));
    expect(await (await get('/')).text()).toBe('<!doctype html>');
    const deep = await get('/tasks/5/jobs/7');
    expect(deep.headers.get('Content-Type')).toMatch(/^text\/html/);
    expect(deep.headers.get('Cache-Control')).toBe('no-cache');
    expect((await get('/', { 'If-None-Match': deep.headers.get('ETag') ?? '' })).status).toBe(304);
    const script = await get('/index-B3aF9x1Z.js');
    expect(script.headers.get('Cache-Control')).toContain('immutable');
    expect(script.headers.get('Content-Type')).toMatch(/^text\/javascript/);
    for (const outside of ['/missing.js', '/../file.bin', '/%2e%2e/file.bin', '/..\\file.bin', '/\0.js']) {
      expect((await pages(outside, new Request('http://127.0.0.1/'))).status, outside).toBe(404);
    }
  });

  test('that are not built say so', async () => {
    const answer = await createPages(join(folder, 'nowhere'))('/', new Request('http://127.0.0.1/'));
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build');
  });
});

describe('Help', () => {
  const others = async (path: string) => new Response(`others ${path}`);

  test('serves its pages and their folders to frames of the program, and leaves other addresses', async () => {
    const built = temporaryFolder();
    mkdirSync(join(built, 'guide'));
    for (const page of ['index.html', 'guide/index.html', 'guide/boxes.html'])
      writeFileSync(join(built, page), `<!doctype html>${page}`);
    const pages = withHelp(built, others);
    const get = (address: string) => pages(address, new Request('http://127.0.0.1/'));
    expect(await (await get('/help/')).text()).toContain('index.html');
    expect(await (await get('/help/guide/')).text()).toContain('guide/index.html');
    const page = await get('/help/guide/boxes.html');
    expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
    expect(page.headers.get('X-Frame-Options')).toBe('SAMEORIGIN');
    expect(page.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'self'");
    expect(page.headers.get('Content-Security-Policy')).toContain("script-src 'self';");
    for (const outside of ['/help/missing.html', '/help/../file.bin', '/help/%2e%2e/file.bin', '/help//index.html']) {
      expect((await get(outside)).status, outside).toBe(404);
    }
    expect(await (await get('/help')).text()).toBe('others /help');
    expect(await (await get('/tasks/5')).text()).toBe('others /tasks/5');
  });

  test('that is not built names the command that builds it', async () => {
    const answer = await withHelp(join(folder, 'nowhere'), others)('/help/', new Request('http://127.0.0.1/'));
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run docs:build');
  });
});
