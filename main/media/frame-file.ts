import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { inTurn } from './disk-turns.ts';
import { type MediaLocation, resolveMediaFile, type StoredFrame } from './media-location.ts';
import { objectFile, objectStamp } from './object-files.ts';
import { isInside } from './safe-path.ts';

/** The file of a frame, with the properties that reveal a replacement. */
export interface FrameFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

const kept = 'Its annotations are unchanged';

/**
 * Checks a frame's file before every read. Files used in place may have been replaced since the task was created:
 * reading a pipe would block forever, and a link could expose files outside the shared folder.
 */
export async function statFrameFile(location: MediaLocation, frame: StoredFrame): Promise<FrameFile> {
  if (frame.object) return { path: await objectFile(location, frame.object), ...objectStamp(frame.object) };
  const path = resolveMediaFile(location, frame.file);
  return isAbsolute(frame.file) ? inTurn(path, () => statFile(path, frame)) : statFile(path, frame);
}

async function statFile(path: string, frame: StoredFrame): Promise<FrameFile> {
  const found = await stat(path).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `Cannot find the file of ${frame.path} at ${path}. ${kept}; restore the file to see it again.`
        : `Cannot read the file of ${frame.path} at ${path}: its disk reports ${code}. ${kept}; connect the disk and try again.`;
    throw new AppError('not-found', message, undefined, { cause });
  });
  if (!found.isFile()) {
    throw new AppError(
      'not-found',
      `Cannot open ${frame.path}: ${path} is no longer a file. ${kept}; restore the file to see it again.`,
    );
  }
  if (isAbsolute(frame.file)) await requireInFolder(path, frame.path);
  return { path, sizeBytes: found.size, modifiedMs: found.mtimeMs };
}

/** Stored paths have their links resolved, so a link was created later. */
async function requireInFolder(path: string, name: string): Promise<void> {
  const target = await realpath(path);
  if (target === path || isInside(dirname(path), target)) return;
  throw new AppError(
    'not-found',
    `Cannot open ${name}: ${path} is now a link that leads outside its folder. ${kept}; replace the link by the file ` +
      'itself to see it again.',
  );
}
