import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formBody, multipartBoundary, readMultipart } from '../../../main/http/uploads/multipart.ts';
import { AppError } from '../../../main/platform/errors.ts';

interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly bytes: Buffer;
}

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let index = 0; at < bytes.length; index += 1) {
    const size = Math.max(1, sizes[index % sizes.length] ?? bytes.length);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function parse(body: Buffer, boundary: string, sizes: readonly number[] = [body.length]): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const { name, filename, body: content } of readMultipart(cut(body, sizes), boundary)) {
    const bytes: Buffer[] = [];
    for await (const piece of content) bytes.push(Buffer.from(piece));
    parts.push({ name, filename, bytes: Buffer.concat(bytes) });
  }
  return parts;
}

const disposition = (text: string) =>
  Buffer.from(`--b\r\nContent-Disposition: form-data; ${text}\r\n\r\nx\r\n--b--\r\n`);

describe('multipart/form-data', () => {
  test("reads the platform's encoding, with any chunks of the body", async () => {
    // Content that looks like the start of the boundary is hard to parse.
    const tricky = fc.array(fc.constantFrom('\r', '\n', '-', '--', '\r\n', '\r\n--', 'x', '\u0000', 'ß'), {
      maxLength: 30,
    });
    const bytes = fc.oneof(
      tricky.map((pieces) => Buffer.from(pieces.join(''))),
      fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
    );
    const name = fc.stringMatching(/^[a-z[\]0-9" \\ßü☃;=]{1,12}$/);
    const part = fc.record({ name, filename: fc.option(name, { nil: undefined }), bytes });
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 20 }),
        async (parts, sizes) => {
          const form = new FormData();
          const sent: Part[] = parts.map((one) => {
            // The platform normalizes line breaks of text fields, so they are sent only as files.
            const filename = one.filename ?? (/[\r\n]/.test(one.bytes.toString('latin1')) ? 'f' : undefined);
            const text = one.bytes.toString('utf8');
            if (filename === undefined) form.append(one.name, text);
            else form.append(one.name, new Blob([new Uint8Array(one.bytes)]), filename);
            return { ...one, filename, bytes: filename === undefined ? Buffer.from(text) : one.bytes };
          });
          const request = new Response(form);
          const boundary = multipartBoundary(request.headers.get('Content-Type')) ?? '';
          const body = Buffer.from(await request.arrayBuffer());
          // The platform sends an empty form as its closing boundary only.
          expect(await parse(body, boundary, sizes)).toEqual(sent);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('skips an unread part', async () => {
    const form = new FormData();
    for (let index = 0; index < 5; index += 1)
      form.append(`file${index}`, new Blob(['x'.repeat(100_000)]), `${index}.bin`);
    const request = new Response(form);
    const boundary = multipartBoundary(request.headers.get('Content-Type')) ?? '';
    const body = Buffer.from(await request.arrayBuffer());
    const names: string[] = [];
    for await (const { name, body: content } of readMultipart(cut(body, [1000]), boundary)) {
      names.push(name);
      if (names.length % 2 === 0) for await (const piece of content) if (piece.length > 0) break;
    }
    expect(names).toEqual(['file0', 'file1', 'file2', 'file3', 'file4']);
  });

  test.each([
    ['name="a"; filename="C:\\photos\\a.jpg"', 'C:\\photos\\a.jpg'],
    ['name="a"; filename="say \\"hi\\".jpg"', 'say "hi".jpg'],
    ['name="a"; filename="say %22hi%22.jpg"', 'say "hi".jpg'],
    ['name="a"; filename="100%25.jpg"', '100%25.jpg'],
    ['name="a"; filename=plain.jpg', 'plain.jpg'],
    ['name="a"; filename="fallback.jpg"; filename*=UTF-8\'\'na%C3%AFve.jpg', 'naïve.jpg'],
    ['name="a"; filename*=utf-8\'en\'%E2%98%83.png', '☃.png'],
    ['name="a"; filename=""', ''],
    ['name="a"', undefined],
  ])('%s', async (header, filename) => {
    expect(await parse(disposition(header), 'b')).toEqual([{ name: 'a', filename, bytes: Buffer.from('x') }]);
  });

  test.each([
    ['nothing', ''],
    ['no boundary at all', 'hello'],
    ['no last boundary', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx'],
    ['no end of the headers', '--b\r\nContent-Disposition: form-data; name="a"'],
    ['no name', '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--'],
    ['headers without end', `--b\r\nX: ${'a'.repeat(20_000)}\r\n\r\nx\r\n--b--`],
  ])('%s is refused', async (_, text) => {
    await expect(parse(Buffer.from(text), 'b')).rejects.toThrow(AppError);
  });

  test('too many parts are refused', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
    const body = Buffer.from(`${part.repeat(11)}--b--`);
    const limits = { maxParts: 10, maxHeaderBytes: 1000 };
    const read = async () => {
      for await (const one of readMultipart(cut(body, [body.length]), 'b', limits)) void one;
    };
    await expect(read()).rejects.toThrow('more than 10 parts');
  });

  test('finds the boundary in the header', () => {
    expect(multipartBoundary('multipart/form-data; boundary=abc')).toBe('abc');
    expect(multipartBoundary('Multipart/Form-Data; charset=utf-8; boundary="a b"')).toBe('a b');
    for (const other of [null, '', 'application/json', 'multipart/mixed; boundary=x', 'multipart/form-data']) {
      expect(multipartBoundary(other)).toBeUndefined();
    }
  });
});

test("form fields become a body: lists by index or by repetition, booleans in Python's spelling", () => {
  expect(
    formBody([
      ['image_quality', '70'],
      ['server_files[1]', 'b'],
      ['server_files[0]', 'a'],
      ['upload_file_order', 'x'],
      ['upload_file_order', 'y'],
      ['use_cache', 'False'],
      ['copy_data', 'true'],
    ]),
  ).toEqual({
    image_quality: '70',
    server_files: ['a', 'b'],
    upload_file_order: ['x', 'y'],
    use_cache: false,
    copy_data: true,
  });
});
