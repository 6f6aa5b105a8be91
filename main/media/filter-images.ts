import { open } from 'node:fs/promises';
import { AppError } from '../platform/errors.ts';
import { forEachConcurrently, throwIfCancelled } from './cancellation.ts';
import type { Candidate, Skipped } from './scan.ts';
import { requireDecodable } from './decode-cost.ts';
import { isVideoContent } from './identify.ts';
import { type ImageProbe, probeImage } from './probe.ts';
import { sortByPath } from './sorting.ts';

export interface UsableImage extends Candidate {
  readonly width: number;
  readonly height: number;
  readonly related: readonly Candidate[];
}

export interface FilteredImages {
  readonly images: UsableImage[];
  readonly videos: Candidate[];
  readonly skipped: Skipped[];
  readonly warnings: Skipped[];
  readonly cutOff: string[];
}

export interface FilterImagesOptions {
  readonly keepsLarge: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress: (fraction: number) => void;
}

/** More does not help: the file system's threads are the limit (measured: 28,000 headers a second). */
const concurrency = 16;
const kept = 'The given files are unchanged.';

export type Verdict = { readonly probe: ImageProbe } | { readonly problem: string } | 'video';

/** Reads every file's header and separates images, videos and other files, in the given order. */
export async function filterImages(
  candidates: readonly Candidate[],
  options: FilterImagesOptions,
): Promise<FilteredImages> {
  const verdicts: Verdict[] = [];
  let done = 0;
  await forEachConcurrently(candidates, concurrency, async (candidate, index) => {
    throwIfCancelled(options.signal, kept);
    verdicts[index] = await judge(candidate, options);
    done += 1;
    options.progress(done / candidates.length);
  });
  return arrange(candidates, verdicts);
}

/** Reads the header of a file. */
export async function judge(
  { path, file }: Pick<Candidate, 'path' | 'file'>,
  { keepsLarge }: Pick<FilterImagesOptions, 'keepsLarge'>,
): Promise<Verdict> {
  try {
    const probe = await probeImage(file, { name: path });
    if (!keepsLarge) requireDecodable(probe, path);
    return { probe };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (await hasVideoContent(file)) return 'video';
    return { problem: error.message };
  }
}

async function hasVideoContent(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(189), 0, 189, 0);
    return isVideoContent(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

export const relatedFolder = /^(.*\/)?related_images\/([^/]+)\/[^/]+$/;

/** The folder of an image's context images in CVAT's layout: beside it, its dots replaced. */
function relatedKey(path: string): string {
  const slash = path.lastIndexOf('/') + 1;
  return `${path.slice(0, slash)}\0${path.slice(slash).replaceAll('.', '_')}`;
}

export function warningsOf(path: string, { isComplete, pageCount }: ImageProbe): string[] {
  return [
    ...(isComplete ? [] : [`${path} is truncated: its lower part is missing.`]),
    ...(pageCount > 1 ? [`${path} contains ${pageCount} images; only the first is used.`] : []),
  ];
}

function arrange(candidates: readonly Candidate[], verdicts: readonly Verdict[]): FilteredImages {
  const result: FilteredImages = { images: [], videos: [], skipped: [], warnings: [], cutOff: [] };
  const related = new Map<string, Candidate[]>();
  const frames: (Candidate & { width: number; height: number })[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const verdict = verdicts[index];
    const { path } = candidate;
    const context = relatedFolder.exec(path);
    if (verdict === undefined || verdict === 'video') result.videos.push(candidate);
    else if ('problem' in verdict) result.skipped.push({ name: path, reason: verdict.problem });
    else if (context) {
      const key = `${context[1] ?? ''}\0${context[2] ?? ''}`;
      related.set(key, [...(related.get(key) ?? []), candidate]);
    } else {
      const { width, height, isComplete } = verdict.probe;
      frames.push({ ...candidate, width, height });
      if (!isComplete) result.cutOff.push(path);
      result.warnings.push(...warningsOf(path, verdict.probe).map((reason) => ({ name: path, reason })));
    }
  }
  for (const frame of frames) {
    const key = relatedKey(frame.path);
    result.images.push({ ...frame, related: sortByPath(related.get(key) ?? [], { method: 'natural' }) });
    related.delete(key);
  }
  for (const { path } of [...related.values()].flat()) {
    result.skipped.push({
      name: path,
      reason: `${path} is among related images, but its image is missing.`,
    });
  }
  return result;
}
