import { expect, test } from 'vitest';
import { readJson } from '../../../main/http/request-body.ts';

function chunked(pieces: readonly string[]) {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[taken];
        taken += 1;
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
  const request = new Request('http://127.0.0.1/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  // Set by the server, not by a header of the client.
  return { request: Object.assign(request, {}), taken: () => taken };
}

test('reads a chunked body up to its limit, and no chunk beyond', async () => {
  expect(await readJson(chunked(['{"a"', ':1}']).request, 7)).toEqual({ a: 1 });
  const large = chunked(['{"a"', ':"', ...Array.from({ length: 1000 }, () => 'x'), '"}']);
  await expect(readJson(large.request, 10)).rejects.toMatchObject({ code: 'too-large' });
  expect(large.taken()).toBeLessThan(20);
});
