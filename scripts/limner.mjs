#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { projectRoot } from './lib/project.mjs';
import { ensureNode } from './lib/with-node.mjs';

await ensureNode(fileURLToPath(import.meta.url), { lean: true });
// The version is in package.json, so it needs no build.
if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2] ?? '')) {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  process.stdout.write(`${version}\n`);
  process.exit(0);
}
await ensureBuilt();
await import(pathToFileURL(join(projectRoot, 'out', 'main', 'cli.js')).href);
