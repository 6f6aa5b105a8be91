import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Core } from '../core.ts';
import type { FrameRange } from '../work/tasks/frame-service.ts';
import type { FrameRow } from '../work/tasks/media-repository.ts';
import { createZipWriter } from '../formats/io/zip-writer.ts';
import { AppError } from '../platform/errors.ts';
import { fileContent } from './file-answer.ts';
import { mediaAnswer, owned } from './media-answer.ts';
import type { RequestContext } from './request-context.ts';

type MediaCore = Pick<Core, 'frames'>;

/** Larger sources (scans) are streamed; their checksum would cost reading them twice. */
const maxBufferedBytes = 64 * 1024 * 1024;

const invalid = (message: string) => new AppError('invalid', message, [message]);

/** Answers `?type=frame`, `chunk` or `context_image` of a task or job. */
export async function answerData(
  core: MediaCore,
  kind: 'task' | 'job',
  id: number,
  request: RequestContext,
): Promise<Response> {
  const query = request.url.searchParams;
  const range = kind === 'task' ? core.frames.ofTask(request.actor, id) : core.frames.ofJob(request.actor, id);
  const quality = query.get('quality') ?? 'compressed';
  if (quality !== 'compressed' && quality !== 'original') throw invalid('The quality is "compressed" or "original".');
  switch (query.get('type')) {
    case 'frame':
      return answerFrame(core, range, wholeNumber(query, 'number'), quality, request);
    case 'chunk':
      return answerChunk(core, range, chunkRows(core, range, kind, query), quality, request);
    case 'context_image':
      return answerContext(core, range, wholeNumber(query, 'number'), request);
    default:
      throw invalid('The type of data is "frame", "chunk" or "context_image".');
  }
}

function wholeNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  if (text === null) throw invalid(`The ${name} of the wanted data is missing.`);
  if (!/^\d{1,9}$/.test(text)) throw invalid(`The ${name} must be a whole number.`);
  return Number(text);
}

type Quality = 'compressed' | 'original';

async function answerFrame(
  core: MediaCore,
  range: FrameRange,
  number: number,
  quality: Quality,
  request: RequestContext,
): Promise<Response> {
  const stored = core.frames.stored(range, core.frames.frame(range, number));
  const store = core.frames.store(range);
  if (quality === 'compressed') {
    const bytes = await store.compressedFrame(stored, jpegQuality(range), request.signal);
    return mediaAnswer(request, range, { bytes: owned(bytes) }, 'image/jpeg');
  }
  const { bytes, path, contentType } = await store.originalFrame(stored, request.signal);
  if (bytes) return mediaAnswer(request, range, { bytes: owned(bytes) }, contentType);
  const { content, modifiedMs } = await fileContent(path ?? '');
  const size = 'sizeBytes' in content ? content.sizeBytes : 0;
  if (size <= maxBufferedBytes) {
    return mediaAnswer(request, range, { bytes: owned(await readFile(path ?? '')) }, contentType);
  }
  return mediaAnswer(request, range, content, contentType, {
    etag: `${size.toString(36)}-${Math.trunc(modifiedMs).toString(36)}`,
  });
}

/** Quality 0, which the API allows, is the encoder's lowest. */
const jpegQuality = ({ media }: FrameRange) => Math.max(1, media.image_quality);

/** The frames of a chunk: of the task, or (by `index`) of the job. */
function chunkRows(core: MediaCore, range: FrameRange, kind: 'task' | 'job', query: URLSearchParams): FrameRow[] {
  const size = range.media.chunk_size;
  const isIndex = kind === 'job' && query.has('index');
  if (isIndex && query.has('number')) throw invalid('Name either the number or the index of the chunk.');
  const wanted = wholeNumber(query, isIndex ? 'index' : 'number');
  const rows = isIndex ? chunkOfJob(core, range, wanted * size) : chunkOfTask(core, range, wanted * size);
  if (rows.length > 0) return rows;
  const message = `There is no chunk ${wanted} here.`;
  throw new AppError('not-found', message, { detail: message });
}

/** A job has the part of a task's chunk that its frames lie in. */
function chunkOfTask(core: MediaCore, range: FrameRange, start: number): FrameRow[] {
  const [first, last] = [Math.max(start, range.first), Math.min(start + range.media.chunk_size - 1, range.last)];
  return first > last ? [] : core.frames.frames(range, first, last);
}

/** Chunks of a job count its own frames, which need not follow each other. */
function chunkOfJob(core: MediaCore, range: FrameRange, start: number): FrameRow[] {
  const { included, first, media } = range;
  if (included === null) return chunkOfTask(core, range, first + start);
  const numbers = included.slice(start, start + media.chunk_size);
  return numbers.length === 0 ? [] : core.frames.frames(range, numbers[0], numbers.at(-1));
}

async function answerChunk(
  core: MediaCore,
  range: FrameRange,
  rows: readonly FrameRow[],
  quality: Quality,
  request: RequestContext,
): Promise<Response> {
  const store = core.frames.store(range);
  const frames = rows.map((row) => ({ ...core.frames.stored(range, row), width: row.width, height: row.height }));
  const chunk = await store.chunk({
    frames,
    quality,
    imageQuality: jpegQuality(range),
    signal: request.signal,
  });
  const content = { path: chunk.path, sizeBytes: chunk.sizeBytes };
  return mediaAnswer(request, range, content, chunk.contentType, { etag: chunk.checksum, checksum: chunk.checksum });
}

/** Related images of a frame as a ZIP. */
async function answerContext(
  core: MediaCore,
  range: FrameRange,
  number: number,
  request: RequestContext,
): Promise<Response> {
  const row = core.frames.frame(range, number);
  if (row.related.length === 0) {
    const message = `Frame ${number} has no related images.`;
    throw new AppError('not-found', message, { detail: message });
  }
  const store = core.frames.store(range);
  const folder = join(tmpdir(), `limner-context-${randomUUID()}`);
  const archive = join(folder, 'context.zip');
  await mkdir(folder, { mode: 0o700 });
  try {
    const zip = await createZipWriter(archive);
    try {
      for (const [index, file] of row.related.entries()) {
        const { path } = await store.frameFile({ path: file, file });
        await zip.addFile(`${String(index).padStart(3, '0')}-${basename(file)}`, path);
      }
      await zip.finish();
    } finally {
      await zip.abort();
    }
    return mediaAnswer(request, range, { bytes: owned(await readFile(archive)) }, 'application/zip');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
