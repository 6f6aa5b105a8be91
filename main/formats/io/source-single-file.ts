import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../platform/errors.ts';
import type { LocalRange, Source, SourceFile, SourceLimits } from './source.ts';

const chunkBytes = 1024 * 1024;

/** Streams a range of a file. Fails if the file is shorter than the range. */
export async function* streamRange(range: LocalRange): AsyncGenerator<Buffer> {
  if (range.sizeBytes === 0) return;
  const { path, offset, sizeBytes } = range;
  let left = sizeBytes;
  for await (const chunk of createReadStream(path, {
    start: offset,
    end: offset + sizeBytes - 1,
    highWaterMark: chunkBytes,
  })) {
    // Node types a binary stream's chunks as any.
    left -= (chunk as Buffer).length;
    yield chunk as Buffer;
  }
  if (left !== 0)
    throw new AppError(
      'invalid',
      `${basename(path)} became shorter while it was read. Try again when the file is complete.`,
    );
}

export function unknownEntry(name: string, path: string): AppError {
  return new AppError('invalid', `${name} has no file "${path}".`);
}

export function tooLargeToRead(path: string, sizeBytes: number, maxBytes: number): AppError {
  const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;
  return new AppError(
    'invalid',
    `"${path}" has ${mebibytes(sizeBytes)}, but at most ${mebibytes(maxBytes)} can be read from such a file.`,
  );
}

/** Opens a file that is not an archive as a tree with one entry. */
export async function openSingleFile(file: SourceFile, sizeBytes: number, limits: SourceLimits): Promise<Source> {
  const name = basename(file.name.replaceAll('\\', '/')) || basename(file.path);
  const range: LocalRange = { path: file.path, offset: 0, sizeBytes };
  const check = (path: string): void => {
    if (path !== name) throw unknownEntry(file.name, path);
  };
  return {
    kind: 'file',
    name,
    entries: [{ path: name, sizeBytes }],
    warnings: [],
    has: (path) => path === name,
    async read(path, maxBytes = limits.maxReadBytes) {
      check(path);
      if (sizeBytes > maxBytes) throw tooLargeToRead(path, sizeBytes, maxBytes);
      return readFile(file.path);
    },
    stream(path) {
      check(path);
      return streamRange(range);
    },
    async localPath(path) {
      check(path);
      return range;
    },
    close: async () => {},
  };
}
