#!/usr/bin/env node
import { buildAnew } from './lib/build.mjs';

await buildAnew();
