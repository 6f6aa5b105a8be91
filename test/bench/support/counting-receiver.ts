import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A webhook receiver in a separate process. It checks and counts signatures. It sends its parent `{ port }` when it
 * listens, and the count as soon as the expected number is reached.
 */
const secret = process.argv[2] ?? '';
let good = 0;
let bad = 0;
let wanted = Infinity;

const report = () => {
  if (good + bad < wanted) return;
  wanted = Infinity;
  process.send?.({ good, bad });
};

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const expected = `sha256=${createHmac('sha256', secret).update(Buffer.concat(parts)).digest('hex')}`;
    if (request.headers['x-signature-256'] === expected) good += 1;
    else bad += 1;
    response.end('ok');
    report();
  });
});
server.keepAliveTimeout = 60_000;
process.on('message', (message: { readonly reset?: true; readonly wait?: number }) => {
  if (message.reset) good = bad = 0;
  if (message.wait !== undefined) {
    wanted = message.wait;
    report();
  }
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
