import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** The same framework with nothing behind it: a route that answers the bytes of a file. */
const bytes = new Uint8Array(readFileSync(process.argv[2] ?? ''));
const app = new Hono();
app.get('/', () => new Response(bytes, { headers: { 'Content-Type': 'application/vnd.cvat+json' } }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
