import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { probeImage } from '../../main/media/probe.ts';
import { sharedMedia } from './shared-fixtures.ts';

const photos = join(sharedMedia, 'photos');

it("photographs have the decoder's size", async () => {
  const files = readdirSync(photos);
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) {
    const { autoOrient } = await sharp(join(photos, name)).metadata();
    expect(await probeImage(join(photos, name)), name).toMatchObject({ ...autoOrient, isComplete: true });
  }
});
