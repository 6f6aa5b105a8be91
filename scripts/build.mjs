#!/usr/bin/env node
import { buildAnew, ensureBuilt } from './lib/build.mjs';

// --stale builds only the parts whose sources changed.
await (process.argv.includes('--stale') ? ensureBuilt() : buildAnew());
