import { open } from 'node:fs/promises';
import { inputArguments, runTool, type VideoTools } from './ffmpeg.ts';

/** Frames that a program found in a video, in display order. */
export interface FrameTimes {
  /** In units of the stream; NaN if the file states none. */
  readonly timestamps: number[];
  /** Indices of frames at which decoding can start. */
  readonly keyframes: number[];
}

/** The decoder's first message about a truncated file, and its first other message. */
export interface Complaints {
  ending?: string;
  other?: string;
}

interface Reading {
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
  readonly onCount?: (count: number) => void;
}

interface StreamTimes extends Reading {
  readonly secondsPerUnit: number;
  /** Frame count of the header; null without one. */
  readonly statedFrames: number | null;
}

/** Packets decoded to check that each is one frame: two fields of an image may be separate packets. */
const tried = 40;
/** Last frames to ignore, because frames of later, unread packets may be displayed before them. */
const reordered = 16;

/**
 * Derives the frames from the times of their packets. Undefined if these are incomplete, or if the start or the end of
 * the video decodes to something else.
 */
export async function framesOfPackets(
  tools: VideoTools,
  file: string,
  stream: StreamTimes,
): Promise<FrameTimes | undefined> {
  const { packetCount, frames, ranges, complaints } = await readPackets(tools, file, stream);
  const { timestamps, keyframes } = frames;
  const isComplete = stream.statedFrames === null || stream.statedFrames === packetCount;
  if (!isComplete || timestamps.length === 0 || keyframes[0] !== 0 || !isRising(timestamps)) return undefined;
  if (!isSilent(complaints) || (await hasHole(file, ranges, stream.signal))) return undefined;
  const first = await decodeFrames(tools, file, { ...stream, interval: `%+#${tried}` });
  const begins = isRun(first.timestamps.slice(0, tried - reordered), timestamps, 0);
  if (!begins || !isSilent(first.complaints)) return undefined;
  const lastKey = keyframes.at(-1) ?? 0;
  // Some containers seek inexactly, and frames of an open group refer to the previous group.
  for (const start of new Set([lastKey, keyframes.at(-3) ?? 0])) {
    const startSeconds = (timestamps[start] ?? 0) * stream.secondsPerUnit;
    const last = await decodeFrames(tools, file, { ...stream, interval: `${startSeconds.toFixed(6)}%` });
    const fromKey = last.timestamps.filter((time) => time >= (timestamps[lastKey] ?? 0));
    const ends = fromKey.length === timestamps.length - lastKey && isRun(fromKey, timestamps, lastKey);
    if (ends && isSilent(last.complaints)) return frames;
  }
  return undefined;
}

const isSilent = ({ ending, other }: Complaints): boolean => ending === undefined && other === undefined;

export function isRising(timestamps: readonly number[]): boolean {
  return timestamps.every((time, index) => !Number.isNaN(time) && time > (timestamps[index - 1] ?? -Infinity));
}

function isRun(part: readonly number[], whole: readonly number[], start: number): boolean {
  return part.length > 0 && start >= 0 && part.every((time, index) => time === whole[start + index]);
}

async function readPackets(tools: VideoTools, file: string, reading: Reading) {
  const packets: { time: number; isKey: boolean }[] = [];
  const ranges: ByteRange[] = [];
  let packetCount = 0;
  const complaints = await readEntries(tools, file, ['packet=pts,flags,pos,size'], reading, (entry) => {
    packetCount += 1;
    const [start, size] = [Number(entry['pos']), Number(entry['size'])];
    if (start >= 0 && size > 0) ranges.push({ start, end: start + size });
    const flags = entry['flags'] ?? '';
    // Discarded: before the start of an edit list. Such frames are decoded but never displayed.
    if (flags.includes('D')) return;
    packets.push({ time: Number(entry['pts']), isKey: flags.includes('K') });
  });
  packets.sort((a, b) => a.time - b.time);
  const keyframes = packets.flatMap(({ isKey }, index) => (isKey ? [index] : []));
  return { packetCount, complaints, ranges, frames: { timestamps: packets.map(({ time }) => time), keyframes } };
}

/** @param reading.interval of ffprobe; without one the whole video */
export async function decodeFrames(
  tools: VideoTools,
  file: string,
  reading: Reading & { readonly interval?: string },
): Promise<FrameTimes & { readonly complaints: Complaints }> {
  const timestamps: number[] = [];
  const keyframes: number[] = [];
  const entries = ['frame=key_frame,best_effort_timestamp'];
  if (reading.interval !== undefined) entries.push('-read_intervals', reading.interval);
  const complaints = await readEntries(tools, file, entries, reading, (entry) => {
    if (entry['key_frame'] === '1') keyframes.push(timestamps.length);
    timestamps.push(Number(entry['best_effort_timestamp']));
    reading.onCount?.(timestamps.length);
  });
  return { timestamps, keyframes, complaints };
}

/** Each line of ffprobe's compact writer is one packet or frame: `packet|pts=12|flags=K__`. */
async function readEntries(
  tools: VideoTools,
  file: string,
  entries: readonly string[],
  { name, signal }: Reading,
  onEntry: (entry: Readonly<Record<string, string>>) => void,
): Promise<Complaints> {
  const complaints: Complaints = {};
  const args = ['-v', 'error', '-threads', '0', '-select_streams', 'v:0', '-show_entries', ...entries];
  const all = [...args, '-of', 'compact', ...inputArguments(file)];
  let pending = '';
  const note = (line: string): void => {
    const [kind, ...fields] = line.trim().split('|');
    if (kind !== 'packet' && kind !== 'frame') return;
    onEntry(Object.fromEntries(fields.map((field) => field.split('=', 2))));
  };
  for await (const part of runTool(tools.ffprobe, all, {
    name,
    signal,
    onErrorLine: (line) => noteComplaint(complaints, line),
  })) {
    const lines = (pending + part.toString('latin1')).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) note(line);
  }
  note(pending);
  return complaints;
}

const endsEarly = /partial file|ended prematurely|truncated/i;
/** Messages for complete files that were cut without encoding: frames before the cut are missing as references. */
const lacksReference = /reference|co located POCs|mmco|non-existing|no frame!|decode_slice_header/i;

function noteComplaint(complaints: Complaints, line: string): void {
  const words = line.replace(/^\s*\[[^\]]*\]\s*/, '').trim();
  if (words === '' || lacksReference.test(words)) return;
  if (endsEarly.test(words)) complaints.ending ??= words;
  else complaints.other ??= words;
}

/** Bytes of a file from `start` (included) to `end` (excluded). */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An interrupted copy leaves pages that were allocated and never written. */
const pageBytes = 4096;
const emptyPage = Buffer.alloc(pageBytes);
const readBytes = 256 * pageBytes;

/**
 * True if the ranges contain entire pages of zeros. Compressed images have none, so a closer check is needed. Padding
 * between packets is outside the ranges and does not count.
 */
async function hasHole(file: string, ranges: readonly ByteRange[], signal?: AbortSignal | undefined): Promise<boolean> {
  const rising = ranges.toSorted((a, b) => a.start - b.start);
  const buffer = Buffer.allocUnsafe(readBytes);
  const handle = await open(file);
  let next = 0;
  try {
    for (let position = 0; ; position += readBytes) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, readBytes, position);
      for (let page = 0; page + pageBytes <= bytesRead; page += pageBytes) {
        if (buffer[page] !== 0 || !buffer.subarray(page, page + pageBytes).equals(emptyPage)) continue;
        const start = position + page;
        while ((rising[next]?.end ?? Infinity) <= start) next += 1;
        if ((rising[next]?.start ?? Infinity) < start + pageBytes) return true;
      }
      if (bytesRead < readBytes) return false;
    }
  } finally {
    await handle.close();
  }
}
