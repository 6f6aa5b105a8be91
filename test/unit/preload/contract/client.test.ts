import { describe, expect, it } from 'vitest';
import { createCall, fillPath, messageOfAnswer, parseBody, queryText } from '../../../../preload/contract/client.ts';
import { uploadResumable, type UploadRequest } from '../../../../preload/contract/resumable-upload.ts';

describe('a call of an operation', () => {
  it('encodes a request id as one path segment', () => {
    const id = 'action=create&target=task&target_id=1';
    expect(fillPath('/api/requests/{id}', { id })).toBe(
      '/api/requests/action%3Dcreate%26target%3Dtask%26target_id%3D1',
    );
  });

  it('omits missing values of the query', () => {
    expect(queryText({ search: 'a&b =c', page: undefined, page_size: 10 })).toBe('?search=a%26b%20%3Dc&page_size=10');
    expect(queryText({})).toBe('');
    expect(queryText(undefined)).toBe('');
  });

  it("passes method, address, body and the caller's additions to the sender", async () => {
    const sent: unknown[] = [];
    const call = createCall<{ readonly signal?: string }>((request, extra) => {
      sent.push(request, extra);
      return Promise.resolve({ text: () => Promise.resolve('') });
    });
    expect(await call('deleteTask', { params: { id: 7 }, signal: 'stop' })).toBeUndefined();
    await call('updateTask', { params: { id: 7 }, body: { name: 'b' } });
    expect(sent).toEqual([
      { method: 'DELETE', target: '/api/tasks/7', headers: {} },
      { signal: 'stop' },
      {
        method: 'PATCH',
        target: '/api/tasks/7',
        headers: { 'Content-Type': 'application/json' },
        body: '{"name":"b"}',
      },
      {},
    ]);
  });
});

describe('the sentence of a failed request', () => {
  it.each([
    ['{"detail":"Not found."}', 'Not found.'],
    ['{"name":["This field may not be blank."]}', 'name: This field may not be blank.'],
    ['{"non_field_errors":["Wrong."],"labels":[{"name":["Too long."]}]}', 'Wrong. labels.name: Too long.'],
    ['["Unknown format specified for the request"]', 'Unknown format specified for the request'],
    ['"just a text"', 'just a text'],
    ['There is no request with specified id', 'There is no request with specified id'],
    ['', 'The service answered with status 400.'],
    ['{}', 'The service answered with status 400.'],
  ])('of %s is the service’s own', (body, sentence) => {
    expect(messageOfAnswer(400, parseBody(body))).toBe(sentence);
  });
});

describe('a chunked upload', () => {
  const sizeBytes = 160 * 1024 * 1024;
  type Sent = UploadRequest<readonly [number, number]>;

  /** A service that loses one chunk after it has received a part of it. */
  const upload = (isLost: boolean) => {
    const sent: Sent[] = [];
    const answer = (headers: Readonly<Record<string, string>>) => ({ header: (name: string) => headers[name] ?? null });
    const service = (request: Sent) => {
      sent.push(request);
      if (request.method === 'POST') return answer({ Location: 'http://127.0.0.1:1/api/up/9?org=a' });
      if (request.method === 'HEAD') return answer({ 'Upload-Offset': String(80 * 1024 * 1024) });
      if (sent.length === 3) throw new Error('lost');
      return answer({});
    };
    const done = uploadResumable<readonly [number, number]>({
      path: '/api/up/',
      name: 'Änne.zip',
      sizeBytes,
      piece: (start, end) => [start, end],
      send: (request) => Promise.resolve().then(() => service(request)),
      isLost: () => isLost,
    });
    return { sent, done };
  };

  it("continues at the service's offset after a chunk was lost", async () => {
    const { sent, done } = upload(true);
    expect(await done).toBe('Änne.zip');
    const mib = (piece: readonly [number, number] | null) => piece?.map((bytes) => bytes / 1024 / 1024) ?? null;
    expect(sent.map(({ method, path, body }) => [method, path, mib(body)])).toEqual([
      ['POST', '/api/up/', null],
      ['PATCH', '/api/up/9?org=a', [0, 64]],
      ['PATCH', '/api/up/9?org=a', [64, 128]],
      ['HEAD', '/api/up/9?org=a', null],
      ['PATCH', '/api/up/9?org=a', [80, 144]],
      ['PATCH', '/api/up/9?org=a', [144, 160]],
    ]);
    expect(sent[0]?.headers['Upload-Metadata']).toBe(`filename ${Buffer.from('Änne.zip').toString('base64')}`);
  });

  it('fails on errors other than lost requests', async () => {
    const { sent, done } = upload(false);
    await expect(done).rejects.toThrow('lost');
    expect(sent).toHaveLength(3);
  });
});
