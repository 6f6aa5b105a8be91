import { readFileSync } from 'node:fs';

/** What any program does that takes a JSON file as a whole. */
const started = performance.now();
const parsed = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as { annotations?: unknown[] };
const milliseconds = performance.now() - started;
const count = parsed.annotations?.length ?? 0;
console.log(JSON.stringify({ milliseconds, count, peakBytes: process.resourceUsage().maxRSS * 1024 }));
