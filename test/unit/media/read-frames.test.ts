import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readFrames } from '../../../main/media/read-frames.ts';
import { makeImage } from '../../support/images.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

/** Linux answers a read of its first byte with an input/output error. */
const failing = '/proc/self/mem';
let image = '';
let text = '';

beforeAll(async () => {
  const folder = sharedFolder();
  image = join(folder, 'image.jpg');
  text = join(folder, 'text.jpg');
  writeFileSync(image, await makeImage({ width: 64, height: 48 }));
  writeFileSync(text, 'text');
});

const read = async (...files: readonly string[]) =>
  (
    await readFrames(
      files.map((file, frame) => ({ frame, path: `${frame}.jpg`, file })),
      {},
    )
  ).map(({ width, problem, isAway }) => (isAway ? 'away' : problem === null ? width : 'problem'));

describe.runIf(process.platform === 'linux')('files of a disk that fails', () => {
  it('stay unread if the disk fails for all of the last files', async () => {
    expect(await read(image, text, image, failing, failing, failing, failing)).toEqual([
      64,
      'problem',
      64,
      'away',
      'away',
      'away',
      'away',
    ]);
    expect(await read(failing)).toEqual(['away']);
  });

  it('have a problem if the disk can read the files after them', async () => {
    expect(await read(image, failing, failing, failing, image, image)).toEqual([
      64,
      'problem',
      'problem',
      'problem',
      64,
      64,
    ]);
  });
});
