import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findVideoTools } from '../../main/media/video/ffmpeg.ts';
import { prepareTaskMedia } from '../../main/media/prepare.ts';
import { createVideoReader } from '../../main/media/video/video.ts';
import { sharedMedia } from './shared-fixtures.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { numberOf, numbersOf } from '../support/counter-video.ts';

const samples = join(sharedMedia, 'video');
const tools = await findVideoTools();
if (!tools) throw new Error('This suite needs ffmpeg and ffprobe on the PATH.');

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const folder = sharedFolder();
const reader = createVideoReader({ tools, indexDirectory: join(folder, 'index') });

describe('sample videos', () => {
  it.each(['counter.mp4', 'counter.webm'])('%s: every frame shows its own number', async (name) => {
    const file = join(samples, name);
    const probe = await reader.probe(file, { name });
    expect(probe).toMatchObject({ width: 320, height: 240, frameCount: 240 });
    expect(probe.framesPerSecond).toBeCloseTo(30, 1);
    expect(await numbersOf(reader, file, upTo(240))).toEqual(upTo(240));
    for (const index of [239, 0, 120, 57]) expect(numberOf(await reader.frame(file, index))).toBe(index);
  });

  it('counter-vfr.mp4: variable frame times give the same frames one by one and in a run', async () => {
    const file = join(samples, 'counter-vfr.mp4');
    expect(await reader.probe(file, { name: 'counter-vfr.mp4' })).toMatchObject({ frameCount: 137 });
    const numbers = await numbersOf(reader, file, upTo(137));
    expect(new Set(numbers).size).toBe(137);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    for (const index of [0, 1, 59, 60, 100, 136])
      expect(numberOf(await reader.frame(file, index))).toBe(numbers[index]);
  });

  it('has all frames of codecs that browsers do not decode, also in place', async () => {
    const file = join(folder, 'copy.avi');
    await copyFile(join(samples, 'pedestrians-msmpeg4.avi'), file);
    const prepared = await prepareTaskMedia(
      { location: { directory: join(folder, '9') }, local: { paths: [file] } },
      { videos: reader },
    );
    expect(prepared).toMatchObject({
      kind: 'video',
      inPlace: true,
      video: { file, width: 768, height: 576, frameCount: 60 },
    });
  });
});
