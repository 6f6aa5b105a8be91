import { readFileSync } from 'node:fs';

/** Serializes the same data at once. Reading it and writing it to disk are not measured. */
const parsed: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const processorBefore = process.cpuUsage();
const started = performance.now();
const { length } = JSON.stringify(parsed);
const milliseconds = performance.now() - started;
const { user, system } = process.cpuUsage(processorBefore);
const processorMs = (user + system) / 1000;
console.log(JSON.stringify({ milliseconds, processorMs, length, peakBytes: process.resourceUsage().maxRSS * 1024 }));
