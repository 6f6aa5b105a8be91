import { filterImages, relatedFolder } from './filter-images.ts';
import { numbersOf, sortImages } from './frame-order.ts';
import type { PreparedFrame, PreparedMedia, PrepareRequest, PrepareRun } from './media-preparation.ts';
import { readFrames } from './read-frames.ts';
import { createNameAllocator } from './safe-path.ts';
import { type Candidate, collectLocal, type Skipped, usualImageName, withoutRepeated } from './scan.ts';
import { selectFrames } from './select-frames.ts';

/** Frames that are read with the list, so that the first images are shown without another request. */
const readAtOnce = 4;

/**
 * Numbers the images of a folder by their names, without reading all of them: a file with the name of an image keeps its
 * number even if it turns out not to be one. Files with other names are read, because only their content tells.
 *
 * Returns undefined for media that has to be read first: uploads, copies, archives, videos, context images, and folders
 * whose first files are not images.
 */
export async function listImages(request: PrepareRequest, run: PrepareRun): Promise<PreparedMedia | undefined> {
  const { signal } = run;
  if (request.local === undefined || request.copy === true || (request.uploads ?? []).length > 0) return undefined;
  const collected = await collectLocal(request.local, signal, () => run.progress?.(0));
  if (collected.archives.length > 0) return undefined;
  const own = await withoutRepeated(collected.candidates);
  const names = createNameAllocator();
  const candidates = own.candidates.map((candidate) => ({ ...candidate, path: names.uniqueName(candidate.path) }));
  if (candidates.some(({ path }) => relatedFolder.test(path))) return undefined;
  const named = candidates.filter(({ path }) => usualImageName.test(path));
  if (named.length === 0) return undefined;
  const others = await filterImages(
    candidates.filter(({ path }) => !usualImageName.test(path)),
    { keepsLarge: false, signal, progress: () => undefined },
  );
  const skipped: Skipped[] = [
    ...collected.skipped,
    ...own.skipped,
    ...others.skipped,
    ...others.videos.map(({ path }) => ({
      name: path,
      reason: `${path} is a video among images; create a separate task for it.`,
    })),
  ];
  const images = sortImages<Candidate>([...named, ...others.images], request, skipped);
  const range = selectFrames(images.length, request);
  const frames = range.indices.map((source): PreparedFrame => {
    // The range was computed for this list.
    const { path, file } = images[source] as Candidate;
    return { path, file, identity: null, width: 0, height: 0, related_files: [] };
  });
  const first = frames.slice(0, readAtOnce).map(({ path, file }, frame) => ({ frame, path, file }));
  const read = await readFrames(first, { signal });
  if (read.every(({ problem }) => problem !== null)) return undefined;
  for (const { frame, width, height, identity, problem } of read) {
    // The frame is one of the list.
    frames[frame] = { ...(frames[frame] as PreparedFrame), width, height, identity, problem };
  }
  const renamed = names.renamed.map(({ from, to }) => ({
    name: to,
    reason: `${from} was given more than once; this one is named ${to}.`,
  }));
  const warnings = [
    ...renamed,
    ...others.warnings,
    ...read.flatMap(({ frame, warnings: found }) =>
      found.map((reason) => ({ name: frames[frame]?.path ?? '', reason })),
    ),
  ];
  return { kind: 'images', frames, unread: true, skipped, warnings, inPlace: true, ...numbersOf(range) };
}
