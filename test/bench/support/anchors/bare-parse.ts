import { readFileSync } from 'node:fs';

/** What any program does that takes a JSON file as a whole. */
const processorBefore = process.cpuUsage();
const started = performance.now();
const parsed = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as { annotations?: unknown[] };
const milliseconds = performance.now() - started;
const { user, system } = process.cpuUsage(processorBefore);
const count = parsed.annotations?.length ?? 0;
const processorMs = (user + system) / 1000;
console.log(JSON.stringify({ milliseconds, processorMs, count, peakBytes: process.resourceUsage().maxRSS * 1024 }));
