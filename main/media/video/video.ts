import { basename } from 'node:path';
import type { Chapter } from '../../../preload/contract/schema/resources.ts';
import { AppError } from '../../platform/errors.ts';
import { inputArguments, type VideoTools } from './ffmpeg.ts';
import { fixedSizeParts, type DecodedFrame } from './frame-memory.ts';
import type { IndexOptions, VideoIndex } from './video-index.ts';
import { createVideoRuns } from './video-runs.ts';
import { encodeVideo, type EncodeOptions } from './encode-video.ts';

export type VideoProbe = Awaited<ReturnType<VideoReader['probe']>>;

/** Frames per run of ffmpeg; limited because they are on its command line. */
const batchFrames = 200;

export type VideoReader = ReturnType<typeof createVideoReader>;

/**
 * Provides a video's frames by their index in decode order, frame-exact, upright, as 8-bit RGB.
 * @param options.indexDirectory folder of the frame indices, for example the task's `data/<data id>/video`
 */
export function createVideoReader({
  tools,
  indexDirectory,
}: {
  readonly tools: VideoTools;
  readonly indexDirectory: string;
}) {
  const indices = new Map<string, Promise<VideoIndex>>();
  const compatibility: Compatibility = { passThrough: '-fps_mode', showInfo: 'showinfo=checksum=0' };
  const indexOf = (file: string, options: IndexOptions): Promise<VideoIndex> => {
    const known = indices.get(file);
    if (known) return known;
    // Loaded with the first video, because many threads never have one.
    const loading = import('./video-index.ts').then(({ loadVideoIndex }) =>
      loadVideoIndex(tools, file, indexDirectory, options),
    );
    indices.set(file, loading);
    loading.catch(() => indices.delete(file));
    return loading;
  };

  async function* frames(
    file: string,
    frameIndices: readonly number[],
    signal?: AbortSignal,
  ): AsyncGenerator<DecodedFrame> {
    const index = await indexOf(file, { name: basename(file), signal });
    for (const wanted of frameIndices) checkIndex(wanted, index);
    for (let start = 0; start < frameIndices.length; start += batchFrames) {
      const wanted = frameIndices.slice(start, start + batchFrames);
      yield* decodeBatch({ tools, file, index, wanted, signal, compatibility });
    }
  }

  const runs = createVideoRuns({
    decode: frames,
    frameCount: async (file) => (await indexOf(file, { name: basename(file) })).frameCount,
  });
  return {
    /**
     * Builds the index if it is not stored. The rate is null without usable times, the damage is null if none was
     * detected.
     */
    async probe(file: string, options: IndexOptions) {
      const index = await indexOf(file, options);
      const { width, height, frameCount, damage } = index;
      return { width, height, frameCount, framesPerSecond: meanRate(index), damage, chapters: framesOfChapters(index) };
    },
    /** The decoder waits a few seconds for the next request. */
    async frame(file: string, frameIndex: number, signal?: AbortSignal): Promise<DecodedFrame> {
      checkIndex(frameIndex, await indexOf(file, { name: basename(file), signal }));
      return runs.frame(file, frameIndex, signal);
    },
    frames,
    /**
     * Display time of each frame, ascending, empty if the file states none; and the frames at which decoding can start.
     */
    async times(file: string, signal?: AbortSignal) {
      const index = await indexOf(file, { name: basename(file), signal });
      const { timestamps, secondsPerUnit, keyframes } = index;
      const narrowest = timestamps.reduce((least, _, frame) => Math.min(least, tolerance(index, frame)), Infinity);
      return {
        seconds: timestamps.map((time) => time * secondsPerUnit),
        keyframes,
        tolerance: Number.isFinite(narrowest) ? narrowest : 0,
      };
    },
    /** Writes a video of these frames to `target`; null becomes a black frame. */
    async writeVideo(
      file: string,
      frameIndices: readonly (number | null)[],
      target: string,
      how: EncodeOptions,
    ): Promise<void> {
      const { width, height } = await indexOf(file, { name: basename(file), signal: how.signal });
      const wanted = frameIndices.filter((index) => index !== null);
      const decoded = frames(file, wanted, how.signal);
      const black = Buffer.alloc(width * height * 3);
      async function* pictures() {
        for (const index of frameIndices) {
          if (index === null) yield black;
          else {
            const { value, done } = await decoded.next();
            if (done === true) return;
            yield value.data;
          }
        }
      }
      await encodeVideo(tools, { width, height }, pictures(), target, how);
    },
    close: runs.close,
  };
}

function checkIndex(frameIndex: number, { frameCount }: VideoIndex): void {
  if (Number.isInteger(frameIndex) && frameIndex >= 0 && frameIndex < frameCount) return;
  throw new AppError('not-found', `Frame ${frameIndex} does not exist; the video has frames 0 to ${frameCount - 1}.`);
}

/** Chapters by their first and last displayed frame; chapters without frames are omitted. */
function framesOfChapters({ chapters, timestamps, secondsPerUnit }: VideoIndex): Chapter[] {
  return chapters.flatMap(({ id, start, end, title }) => {
    // Half a unit of tolerance: containers round the ends of chapters to their own units.
    const isBefore = (time: number, moment: number) => (time + 0.5) * secondsPerUnit < moment;
    const first = timestamps.findIndex((time) => !isBefore(time, start));
    const last = timestamps.findLastIndex((time) => isBefore(time, end));
    return first < 0 || last < first ? [] : [{ id, start: first, stop: last, metadata: { title } }];
  });
}

function meanRate({ timestamps, secondsPerUnit }: VideoIndex): number | null {
  const first = timestamps[0];
  const last = timestamps.at(-1);
  if (first === undefined || last === undefined || last === first) return null;
  return (timestamps.length - 1) / ((last - first) * secondsPerUnit);
}

/** Options for the installed ffmpeg; changed when an older one refuses them. */
interface Compatibility {
  /** Neither repeats nor drops frames: `-vsync` before version 5.1, which added `-fps_mode`. */
  passThrough: '-fps_mode' | '-vsync';
  /**
   * Prints times. Before version 4.3 it also computes sums over all pixels, which takes a third of the decoding time.
   */
  showInfo: 'showinfo=checksum=0' | 'showinfo';
}

async function* decodeBatch(decoding: Omit<Decoding, 'plan'>): AsyncGenerator<DecodedFrame> {
  const { file, index, wanted, compatibility } = decoding;
  const plans = plansFor(index, wanted);
  let done = 0;
  for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
    try {
      for await (const pixels of decode({ ...decoding, wanted: wanted.slice(done), plan })) {
        done += 1;
        yield pixels;
      }
    } catch (error) {
      if (!takesOlder(compatibility, error)) throw error;
      plans.unshift(plan);
    }
    if (done === wanted.length) return;
  }
  throw new AppError(
    'invalid',
    `Frame ${wanted[done]} of ${basename(file)} cannot be decoded. The other frames are not affected.`,
  );
}

/** True if ffmpeg failed because of an unknown option and an older option is available for a retry. */
function takesOlder(compatibility: Compatibility, error: unknown): boolean {
  const words = error instanceof AppError ? String(error.cause) : '';
  if (compatibility.passThrough !== '-vsync' && words.includes("'fps_mode'")) compatibility.passThrough = '-vsync';
  else if (compatibility.showInfo !== 'showinfo' && words.includes("'checksum'")) compatibility.showInfo = 'showinfo';
  else return false;
  return true;
}

/** Start of decoding: `exact` drops frames decoded before that time. */
type Plan = { readonly startSeconds: number; readonly exact: boolean } | 'from-start';

/**
 * Fastest plan first: the decoder seeks to the keyframe. If that yields the wrong frames, it starts one keyframe
 * earlier, because frames after an open-GOP keyframe may refer to the previous group. The last plan decodes from the
 * start, which is slow but exact.
 */
function plansFor(index: VideoIndex, wanted: readonly number[]): Plan[] {
  const first = wanted[0] ?? 0;
  const { timestamps, secondsPerUnit } = index;
  const time = timestamps[first];
  const before = timestamps[first - 1];
  const plans: Plan[] = [];
  if (time !== undefined && before !== undefined) {
    plans.push({ startSeconds: ((time + before) / 2) * secondsPerUnit, exact: true });
  }
  const early = timestamps[index.keyframes.filter((keyframe) => keyframe <= first).at(-2) ?? -1];
  if (early !== undefined) plans.push({ startSeconds: early * secondsPerUnit, exact: false });
  return [...plans, 'from-start'];
}

interface Decoding {
  readonly tools: VideoTools;
  readonly file: string;
  readonly index: VideoIndex;
  readonly wanted: readonly number[];
  readonly plan: Plan;
  readonly compatibility: Compatibility;
  readonly signal: AbortSignal | undefined;
}

/**
 * Yields the requested frames in order; ends early as soon as the decoder yields another frame than the next requested
 * one.
 */
async function* decode({
  tools,
  file,
  index,
  wanted,
  plan,
  compatibility,
  signal,
}: Decoding): AsyncGenerator<DecodedFrame> {
  const { width, height, hasHalfColours } = index;
  const hasTimes = index.timestamps.length > 0;
  const start = plan === 'from-start' ? [] : ['-ss', plan.startSeconds.toFixed(6), '-seek_timestamp', '1'];
  const seek = plan === 'from-start' || plan.exact ? start : [...start, '-noaccurate_seek'];
  const filters = `select='${selection(index, wanted)}',${compatibility.showInfo},scale=${width}:${height}`;
  const input = [
    '-hide_banner',
    '-nostdin',
    '-nostats',
    '-loglevel',
    'info',
    '-copyts',
    ...seek,
    ...inputArguments(file),
  ];
  const filter = [
    '-map',
    '0:v:0',
    '-vf',
    filters,
    compatibility.passThrough,
    'passthrough',
    '-frames:v',
    String(wanted.length),
  ];
  const args = [...input, ...filter, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'];
  const times = createTimeList();
  const run = { name: basename(file), signal, onErrorLine: times.note };
  let position = 0;
  for await (const { data, release } of fixedSizeParts(tools.ffmpeg, args, run, width * height * 3)) {
    const frameIndex = wanted[position];
    if (frameIndex === undefined) return;
    if (hasTimes && !isTimeOf(index, frameIndex, await times.at(position))) return;
    position += 1;
    yield { data, width, height, hasHalfColours, release };
  }
}

/** Half of the smallest distance to a neighbour, in seconds: a time within it identifies the frame. */
function tolerance({ timestamps, secondsPerUnit }: VideoIndex, frameIndex: number): number {
  const time = timestamps[frameIndex] ?? 0;
  const before = time - (timestamps[frameIndex - 1] ?? -Infinity);
  const after = (timestamps[frameIndex + 1] ?? Infinity) - time;
  const distance = Math.min(before, after);
  return Number.isFinite(distance) ? (distance * secondsPerUnit) / 2 : 0.001;
}

function isTimeOf(index: VideoIndex, frameIndex: number, seconds: number | undefined): boolean {
  const expected = (index.timestamps[frameIndex] ?? Number.NaN) * index.secondsPerUnit;
  return seconds !== undefined && Math.abs(seconds - expected) < tolerance(index, frameIndex);
}

function selection(index: VideoIndex, wanted: readonly number[]): string {
  return sumOf(
    runsOf(wanted).map(([first, last]) => {
      if (index.timestamps.length === 0) return `between(n,${first},${last})`;
      const from = (index.timestamps[first] ?? 0) * index.secondsPerUnit - tolerance(index, first);
      const to = (index.timestamps[last] ?? 0) * index.secondsPerUnit + tolerance(index, last);
      return `between(t,${from.toFixed(9)},${to.toFixed(9)})`;
    }),
  );
}

/** Balanced, because FFmpeg fails on expressions that are nested more than some hundred deep, and a sum nests them. */
function sumOf(terms: readonly string[]): string {
  const middle = Math.ceil(terms.length / 2);
  return terms.length < 2 ? terms.join('') : `(${sumOf(terms.slice(0, middle))}+${sumOf(terms.slice(middle))})`;
}

function runsOf(numbers: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/**
 * Times that the showinfo filter prints per frame. They arrive through another pipe than the pixels. Uses the exact
 * time stamps, because the printed seconds are rounded to six digits.
 */
function createTimeList(): { note: (line: string) => void; at: (position: number) => Promise<number | undefined> } {
  const seconds: number[] = [];
  let secondsPerUnit = Number.NaN;
  let wake = (): void => {};
  return {
    note(line) {
      const base = /\bconfig in time_base:\s*(\d+)\/(\d+)/.exec(line);
      if (base) secondsPerUnit = Number(base[1]) / Number(base[2]);
      const found = /\bn:\s*\d+\s+pts:\s*(-?\d+)/.exec(line);
      if (!found) return;
      seconds.push(Number(found[1]) * secondsPerUnit);
      wake();
    },
    async at(position) {
      // ffmpeg writes the line before the frame, but the pipes may be read in the other order.
      for (let turn = 0; turn < maxTurns && seconds.length <= position; turn += 1) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, turnMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return seconds[position];
    },
  };
}

const turnMs = 20;
const maxTurns = 250;
