import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../main/formats/io/source.ts';
import { unpackTo } from './unpack.ts';
import type { LabeledDataInput } from '../../preload/contract/schema/annotations.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { preparePython, type RunPython } from './python.ts';

interface ReadCoco {
  readonly images: readonly { readonly name: string; readonly size: number[]; readonly file: number[] }[];
  readonly categories: readonly string[];
  readonly annotations: readonly {
    readonly image: string;
    readonly label: string;
    readonly area: number;
    readonly bbox: number[];
    readonly iscrowd: number;
    readonly pixels: number;
    readonly painted: number[] | null;
    readonly size: number[];
  }[];
}
