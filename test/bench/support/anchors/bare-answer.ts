import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** The same framework with no logic: routes that answer the bytes of a file, one of them after reading a body. */
const bytes = new Uint8Array(readFileSync(process.argv[2] ?? ''));
const app = new Hono();
const answer = () => new Response(bytes, { headers: { 'Content-Type': 'application/vnd.cvat+json' } });
app.get('/', answer);
app.patch('/', async (context) => {
  await context.req.text();
  return answer();
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
