import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { type MediaLocation, resolveMediaFile, type StoredFrame } from './media-location.ts';
import { isInside } from './safe-path.ts';

/** The file behind a frame, with what is needed to notice that it was replaced. */
export interface FrameFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

const kept = 'Its annotations are kept';

/**
 * Everybody who reads a frame's file asks here first. Files that are used in place may have become anything since the task
 * was made: a pipe would be waited for for ever, and a link could lead to files that nobody meant to share.
 */
export async function statFrameFile(location: MediaLocation, frame: StoredFrame): Promise<FrameFile> {
  const path = resolveMediaFile(location, frame.file);
  const found = await stat(path).catch((cause: unknown) => {
    throw new AppError(
      'not-found',
      `The file of ${frame.path} cannot be found at ${path}. ${kept}; put the file back to see it again.`,
      undefined,
      { cause },
    );
  });
  if (!found.isFile()) {
    throw new AppError(
      'not-found',
      `What lies at ${path} is no file any more, so ${frame.path} was not opened. ${kept}; put the file back to see it again.`,
    );
  }
  if (isAbsolute(frame.file)) await requireInFolder(path, frame.path);
  return { path, sizeBytes: found.size, modifiedMs: found.mtimeMs };
}

/** Paths are stored with their links resolved: one that is a link now was put there later. */
async function requireInFolder(path: string, name: string): Promise<void> {
  const target = await realpath(path);
  if (target === path || isInside(dirname(path), target)) return;
  throw new AppError(
    'not-found',
    `${path} is a link now that leads outside of its folder, so ${name} was not opened. ${kept}; put the file itself there ` +
      'to see it again.',
  );
}
