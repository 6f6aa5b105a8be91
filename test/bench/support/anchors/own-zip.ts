import { readFileSync } from 'node:fs';
import { createZipWriter } from '../../../../main/formats/io/zip-writer.ts';

/** Writes listed files to an archive with the program's own writer. */
const files = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as [string, string][];
const processorBefore = process.cpuUsage();
const started = performance.now();
const zip = await createZipWriter(process.argv[3] ?? '');
for (const [name, content] of files) await zip.add(name, content);
await zip.finish();
const milliseconds = performance.now() - started;
const { user, system } = process.cpuUsage(processorBefore);
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ milliseconds, processorMs: (user + system) / 1000, peakBytes }));
