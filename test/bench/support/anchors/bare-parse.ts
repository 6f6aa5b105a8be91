import { readFileSync } from 'node:fs';

/** Reads and parses a JSON file in one piece: the minimum for any program. */
const processorBefore = process.cpuUsage();
const started = performance.now();
const parsed = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as { annotations?: unknown[] };
const milliseconds = performance.now() - started;
const { user, system } = process.cpuUsage(processorBefore);
const count = parsed.annotations?.length ?? 0;
const processorMs = (user + system) / 1000;
console.log(JSON.stringify({ milliseconds, processorMs, count, peakBytes: process.resourceUsage().maxRSS * 1024 }));
