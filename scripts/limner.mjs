#!/usr/bin/env node
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { projectRoot } from './lib/project.mjs';
import { ensureNode } from './lib/with-node.mjs';

await ensureNode(fileURLToPath(import.meta.url), { lean: true });
await ensureBuilt();
await import(pathToFileURL(join(projectRoot, 'out', 'main', 'cli.js')).href);
