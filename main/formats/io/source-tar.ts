import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { AppError } from '../../platform/errors.ts';
import { createNameChecker } from './entry-name.ts';
import { streamRange, tooLargeToRead, unknownEntry } from './source-single-file.ts';
import type { LocalRange, Source, SourceEntry, SourceFile, SourceLimits } from './source.ts';

const chunkBytes = 1024 * 1024;

/** tar-stream sets this field, but its type lacks it. */
interface HeaderWithOffset {
  readonly byteOffset: number;
}

function refusal(file: SourceFile, reason: string, cause?: unknown): AppError {
  return new AppError('invalid', `Cannot open ${file.name}: ${reason}.`, undefined, { cause });
}

/** Decompresses the gzip layer into a temporary file, within the size and ratio limits. Entries are not unpacked. */
async function gunzip(file: SourceFile, target: string, compressedBytes: number, limits: SourceLimits): Promise<void> {
  let total = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > limits.maxTotalBytes) done(refusal(file, 'it unpacks to more than the allowed size'));
      else if (total > limits.ratioExemptBytes && total > compressedBytes * limits.maxRatio) {
        done(refusal(file, `it unpacks to more than ${limits.maxRatio} times its size`));
      } else done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(file.path), createGunzip(), limit, createWriteStream(target, { flags: 'wx' }));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refusal(file, 'its gzip data is damaged or cut off', error);
  }
}

async function listEntries(file: SourceFile, path: string, limits: SourceLimits): Promise<Map<string, LocalRange>> {
  const ranges = new Map<string, LocalRange>();
  const names = createNameChecker(file.name);
  let total = 0;
  const reader = extract();
  const input = createReadStream(path, { highWaterMark: chunkBytes });
  const pumping = pipeline(input, reader);
  // The loop below reports the error. Without a handler, the process would exit first.
  pumping.catch(() => {});
  for await (const entry of reader) {
    const { name, type, size = 0 } = entry.header;
    if (type === 'directory') names.folder(name);
    else if (type === 'file' || type === 'contiguous-file') {
      const clean = names.file(name);
      total += size;
      ranges.set(clean, { path, offset: (entry.header as unknown as HeaderWithOffset).byteOffset, sizeBytes: size });
    } else throw refusal(file, `"${name}" in it is a link or a device`);
    if (ranges.size > limits.maxEntries) throw refusal(file, `it has more than ${limits.maxEntries} files`);
    if (total > limits.maxTotalBytes) throw refusal(file, 'its files are larger than the allowed total');
    entry.resume();
  }
  await pumping;
  return ranges;
}

async function listSafely(file: SourceFile, path: string, limits: SourceLimits): Promise<Map<string, LocalRange>> {
  try {
    return await listEntries(file, path, limits);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refusal(file, 'it is not a tar archive, or it is damaged or cut off', error);
  }
}

/** Opens a tar archive. A gzipped one is decompressed into a temporary file, which `close` deletes. */
export async function openTar(file: SourceFile, limits: SourceLimits, gzipped: boolean): Promise<Source> {
  const temporary = gzipped ? await mkdtemp(join(tmpdir(), 'limner-tar-')) : undefined;
  const close = async (): Promise<void> => {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  };
  try {
    const path = temporary === undefined ? file.path : join(temporary, 'content.tar');
    if (gzipped) {
      const handle = await open(file.path, 'r');
      const { size } = await handle.stat().finally(() => handle.close());
      await gunzip(file, path, size, limits);
    }
    return tarSource(file, await listSafely(file, path, limits), limits, close);
  } catch (error) {
    await close();
    throw error;
  }
}

function tarSource(
  file: SourceFile,
  ranges: ReadonlyMap<string, LocalRange>,
  limits: SourceLimits,
  close: () => Promise<void>,
): Source {
  const entries: SourceEntry[] = [...ranges].map(([path, { sizeBytes }]) => ({ path, sizeBytes }));
  const rangeOf = (path: string): LocalRange => {
    const range = ranges.get(path);
    if (!range) throw unknownEntry(file.name, path);
    return range;
  };
  return {
    kind: 'tar',
    name: file.name,
    entries,
    warnings: [],
    has: (path) => ranges.has(path),
    async read(path, maxBytes = limits.maxReadBytes) {
      const range = rangeOf(path);
      if (range.sizeBytes > maxBytes) throw tooLargeToRead(path, range.sizeBytes, maxBytes);
      const chunks: Buffer[] = [];
      for await (const chunk of streamRange(range)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    stream: (path) => streamRange(rangeOf(path)),
    localPath: async (path) => rangeOf(path),
    close,
  };
}
