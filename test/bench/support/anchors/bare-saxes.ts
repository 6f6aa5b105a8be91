import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';

const started = performance.now();
const parser = new SaxesParser();
let count = 0;
let characters = 0;
parser.on('opentag', ({ attributes }) => {
  count += 1;
  for (const value of Object.values(attributes)) characters += String(value).length;
});
for await (const chunk of createReadStream(process.argv[2] ?? '', { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
  parser.write(String(chunk));
}
parser.close();
const milliseconds = performance.now() - started;
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ milliseconds, peakBytes, count, characters }));
