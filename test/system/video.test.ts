import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { RgbPixels } from '../../main/platform/bmp.ts';
import { createChunks } from '../../main/media/chunks.ts';
import { findVideoTools } from '../../main/media/video/ffmpeg.ts';
import { createFrameStore } from '../../main/media/frame-store.ts';
import { prepareTaskMedia } from '../../main/media/prepare.ts';
import { createVideoReader } from '../../main/media/video/video.ts';
import { decodeFrames, framesOfPackets } from '../../main/media/video/video-frames.ts';
import { openSource } from '../../main/formats/io/open-source.ts';
import { numberOf, numbersOf } from '../support/counter-video.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const tools = await findVideoTools();
if (!tools) throw new Error('This suite needs ffmpeg and ffprobe on the PATH.');

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

async function bytesOf(image: Uint8Array): Promise<RgbPixels> {
  const { data, info } = await sharp(image)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const folder = sharedFolder();

const reader = createVideoReader({ tools, indexDirectory: join(folder, 'index') });
afterAll(() => reader.close());

describe('findVideoTools', () => {
  it('finds nothing in folders without them', async () => {
    expect(await findVideoTools(folder)).toBeUndefined();
    expect(await findVideoTools('')).toBeUndefined();
  });
});

describe('videos made here', () => {
  /** Eight columns, like in the counter samples, drawn by ffmpeg from the frame number. */
  function makeCounter(name: string, frames: number, output: readonly string[]): string {
    const file = join(folder, name);
    const columns = "geq=lum='if(mod(floor(N/pow(2,floor(X*8/W))),2),235,16)':cb=128:cr=128";
    const input = ['-f', 'lavfi', '-i', `color=black:size=160x48:rate=30,${columns}`, '-frames:v', String(frames)];
    execFileSync(tools?.ffmpeg ?? '', ['-v', 'error', '-y', ...input, ...output, file]);
    return file;
  }

  async function secondsPerUnit(file: string): Promise<number> {
    const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=time_base', '-of', 'csv=p=0', file];
    const [above = 0, below = 1] = String(execFileSync(tools?.ffprobe ?? '', args))
      .split('/')
      .map(Number.parseFloat);
    return above / below;
  }

  it('list the frames of chapters, and a video without any has none', async () => {
    const plain = makeCounter('plain.mp4', 90, ['-c:v', 'mpeg4', '-q:v', '2']);
    const chapter = (start: number, end: number, title: string) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`;
    const notes = join(folder, 'chapters.txt');
    await writeFile(notes, `;FFMETADATA1\n${chapter(0, 1000, 'Intro')}${chapter(1000, 2500, 'Rest')}`);
    const file = join(folder, 'chapters.mp4');
    const copy = ['-i', plain, '-i', notes, '-map_metadata', '1', '-map_chapters', '1', '-c', 'copy', file];
    execFileSync(tools.ffmpeg, ['-v', 'error', '-y', ...copy]);
    expect((await reader.probe(plain, { name: 'plain.mp4' })).chapters).toEqual([]);
    expect((await reader.probe(file, { name: 'chapters.mp4' })).chapters).toEqual([
      { id: expect.any(Number), start: 0, stop: 29, metadata: { title: 'Intro' } },
      { id: expect.any(Number), start: 30, stop: 74, metadata: { title: 'Rest' } },
    ]);
  });

  const kinds: [string, string[]][] = [
    ['b-frames.avi', ['-c:v', 'mpeg4', '-q:v', '2', '-bf', '2', '-g', '12']],
    ['no-b-frames.mkv', ['-c:v', 'mpeg4', '-q:v', '2', '-g', '12']],
    ['mpeg2.ts', ['-c:v', 'mpeg2video', '-q:v', '2', '-bf', '2', '-g', '12']],
    ['late-start.mkv', ['-c:v', 'mpeg4', '-q:v', '2', '-g', '12', '-output_ts_offset', '5000.123']],
    ['motion.avi', ['-c:v', 'mjpeg', '-q:v', '2']],
    ['h264.mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-bf', '3', '-g', '24']],
    ['open-gop.mkv', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-x264-params', 'open-gop=1:keyint=12:bframes=3']],
    [
      'in-fragments.mp4',
      ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '12', '-movflags', 'frag_keyframe+empty_moov'],
    ],
    [
      'vp9.webm',
      ['-c:v', 'libvpx-vp9', '-pix_fmt', 'yuv420p', '-crf', '10', '-b:v', '0', '-g', '24', '-cpu-used', '8'],
    ],
  ];
  it.each(kinds)('%s: every frame by its number, one by one and in a run', async (name, output) => {
    const file = makeCounter(name, 100, output);
    expect(await reader.probe(file, { name })).toMatchObject({ width: 160, height: 48, frameCount: 100 });
    expect(await numbersOf(reader, file, upTo(100))).toEqual(upTo(100));
    for (const index of [0, 1, 11, 12, 13, 50, 98, 99])
      expect(numberOf(await reader.frame(file, index)), `${index}`).toBe(index);
    expect(await numbersOf(reader, file, [3, 4, 30, 61, 62, 99])).toEqual([3, 4, 30, 61, 62, 99]);
    // Forward, back, and back over a keyframe, like a user who holds a key.
    const steps = [...upTo(30), ...upTo(30).toReversed(), ...upTo(30).map((step) => 99 - step), 97, 99, 96];
    const shown: number[] = [];
    for (const index of steps) shown.push(numberOf(await reader.frame(file, index)));
    expect(shown).toEqual(steps);
    await expect(reader.frame(file, 100)).rejects.toMatchObject({
      code: 'not-found',
      message: 'Frame 100 does not exist; the video has frames 0 to 99.',
    });
    await expect(reader.frame(file, -1)).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each(kinds)("%s: the packets match the decoder's output", async (name, output) => {
    const file = makeCounter(`packets-${name}`, 100, output);
    const decoded = await decodeFrames(tools, file, { name });
    const times = { name, secondsPerUnit: await secondsPerUnit(file), statedFrames: null };
    const said = await framesOfPackets(tools, file, times);
    // Packets of MPEG-4 in AVI have no timestamps.
    if (name === 'b-frames.avi') expect(said).toBeUndefined();
    else expect(said).toEqual({ timestamps: decoded.timestamps, keyframes: decoded.keyframes });
  });

  it('cancel a frame without waiting requests, and return others', async () => {
    const file = makeCounter('given-up.mp4', 100, ['-c:v', 'mpeg4', '-q:v', '2', '-g', '100']);
    const controller = new AbortController();
    const given = reader.frame(file, 90, controller.signal);
    controller.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    expect(numberOf(await reader.frame(file, 91))).toBe(91);
    await reader.close();
    expect(numberOf(await reader.frame(file, 92))).toBe(92);
  });

  it('become a task: prepared, shown, packed', async () => {
    const file = makeCounter('task.mkv', 60, ['-c:v', 'mpeg4', '-q:v', '2', '-g', '12']);
    const directory = join(folder, '7');
    const videos = createVideoReader({
      tools: tools ?? { ffmpeg: '', ffprobe: '' },
      indexDirectory: join(directory, 'video'),
    });
    const fractions: number[] = [];
    const prepared = await prepareTaskMedia(
      {
        location: { directory },
        uploads: [{ name: 'C:\\clips\\task.mkv', file }],
        start_frame: 10,
        stop_frame: 49,
        frame_filter: 'step=5',
      },
      { videos, progress: (fraction) => fractions.push(fraction) },
    );
    expect(prepared).toMatchObject({
      kind: 'video',
      video: { path: 'task.mkv', file: 'task.mkv', width: 160, height: 48, frameCount: 60 },
      frame_indices: [10, 15, 20, 25, 30, 35, 40, 45],
      start_frame: 10,
      stop_frame: 45,
      frame_step: 5,
      inPlace: false,
    });
    expect(fractions.at(-1)).toBe(1);
    expect(await readdir(join(directory, 'video'))).toHaveLength(1);
    if (prepared.kind !== 'video') return;
    const location = { directory, inPlace: false };
    const store = createFrameStore({ location, videos: async () => videos });
    const frames = prepared.frame_indices.map((videoFrame) => ({
      path: `frame_${videoFrame}`,
      file: prepared.video.file,
      videoFrame,
      width: 160,
      height: 48,
    }));
    const [, , third] = frames;
    if (!third) return;
    expect(numberOf(await bytesOf(await store.compressedFrame(third, 90)))).toBe(20);
    const original = await store.originalFrame(third);
    expect(original).toMatchObject({ contentType: 'image/png', extension: '.png' });
    expect(numberOf(await bytesOf(original.bytes ?? Buffer.alloc(0)))).toBe(20);
    expect(await sharp(await store.thumbnail(third, 80)).metadata()).toMatchObject({ width: 80, height: 24 });
    const chunks = createChunks(store);
    for (const quality of ['compressed', 'original'] as const) {
      const chunk = await chunks.chunk({ frames, quality, imageQuality: 90 });
      const source = await openSource({ path: chunk.path, name: 'chunk.zip' });
      const numbers: number[] = [];
      for (const entry of source.entries) numbers.push(numberOf(await bytesOf(await source.read(entry.path))));
      expect(source.entries[0]?.path).toBe('000000.jpeg');
      await source.close();
      expect(numbers).toEqual(prepared.frame_indices);
    }
    // Everything is found on disk without decoding the complete video again.
    const later = createFrameStore({
      location,
      videos: async () =>
        createVideoReader({
          tools: tools ?? { ffmpeg: '', ffprobe: '' },
          indexDirectory: join(directory, 'video'),
        }),
    });
    expect(numberOf(await bytesOf((await later.originalFrame(third)).bytes ?? Buffer.alloc(0)))).toBe(20);
    expect(await readdir(join(directory, 'video'))).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')(
    'work with an older ffmpeg, which has another name for an option and lacks one',
    async () => {
      const file = makeCounter('older.mkv', 30, ['-c:v', 'mpeg4', '-q:v', '2', '-g', '12']);
      const older = join(folder, 'older-ffmpeg');
      const unless = (argument: string, words: string) =>
        `case " $* " in *${argument}*) echo "${words}" >&2; exit 1;; esac`;
      const refusals = [
        unless('" -fps_mode "', "Unrecognized option 'fps_mode'."),
        unless('checksum', "[showinfo @ 0x55] Option 'checksum' not found"),
      ].join('\n');
      await writeFile(older, `#!/bin/sh\n${refusals}\nexec ${tools?.ffmpeg ?? ''} "$@"\n`, { mode: 0o755 });
      const old = createVideoReader({
        tools: { ffmpeg: older, ffprobe: tools?.ffprobe ?? '' },
        indexDirectory: join(folder, 'older'),
      });
      expect(await numbersOf(old, file, [0, 13, 29])).toEqual([0, 13, 29]);
    },
  );

  it('that are truncated give the frames that they contain', async () => {
    const whole = makeCounter('whole.ts', 100, ['-c:v', 'mpeg2video', '-q:v', '2', '-g', '12']);
    const cut = join(folder, 'cut.ts');
    execFileSync(process.execPath, [
      '-e',
      "const fs=require('fs');const b=fs.readFileSync(process.argv[1]);fs.writeFileSync(process.argv[2],b.subarray(0,b.length/2))",
      whole,
      cut,
    ]);
    const { frameCount } = await reader.probe(cut, { name: 'cut.ts' });
    expect(frameCount).toBeGreaterThan(20);
    expect(frameCount).toBeLessThan(100);
    expect((await numbersOf(reader, cut, upTo(frameCount - 2))).slice(0, 20)).toEqual(upTo(20));
  });

  it('stop when cancelled', async () => {
    const file = makeCounter('cancel.mkv', 60, ['-c:v', 'mpeg4', '-g', '12']);
    await expect(reader.probe(file, { name: 'cancel.mkv', signal: AbortSignal.abort() })).rejects.toThrow();
    const controller = new AbortController();
    const seen: number[] = [];
    await expect(async () => {
      for await (const pixels of reader.frames(file, upTo(60), controller.signal)) {
        seen.push(numberOf(pixels));
        if (seen.length === 3) controller.abort();
      }
    }).rejects.toThrow();
    expect(seen.length).toBeLessThan(60);
  });

  it('are refused with a sentence if they are invalid', async () => {
    const broken = join(folder, 'broken.mp4');
    await writeFile(
      broken,
      Buffer.concat([Buffer.from('\0\0\0\u0018ftypisom\0\0\0\0isommp42', 'latin1'), Buffer.alloc(500, 7)]),
    );
    await expect(reader.probe(broken, { name: 'broken.mp4' })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/^broken\.mp4 cannot be read as a video/),
    });
    await expect(reader.probe(join(folder, 'gone.mp4'), { name: 'gone.mp4' })).rejects.toMatchObject({
      code: 'invalid',
      message: 'gone.mp4 does not exist, or its folder may not be read.',
    });
    const directory = join(folder, '8');
    const prepared = prepareTaskMedia(
      { location: { directory }, uploads: [{ name: 'broken.mp4', file: broken }] },
      { videos: reader },
    );
    await expect(prepared).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('broken.mp4') });
    expect(existsSync(broken)).toBe(true);
    expect(await readdir(directory)).toEqual([]);
  });
});
