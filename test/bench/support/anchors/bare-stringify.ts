import { readFileSync } from 'node:fs';

/** The same data turned into text at once; reading it does not count, and writing it to disk neither. */
const parsed: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const started = performance.now();
const { length } = JSON.stringify(parsed);
const milliseconds = performance.now() - started;
console.log(JSON.stringify({ milliseconds, length, peakBytes: process.resourceUsage().maxRSS * 1024 }));
