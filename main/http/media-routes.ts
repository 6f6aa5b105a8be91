import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Actor } from '../core/actor.ts';
import type { Core } from '../core/core.ts';
import type { FrameRange } from '../core/tasks/frame-service.ts';
import { createZipWriter } from '../formats/io/zip-writer.ts';
import { createChunks } from '../media/chunks.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { emptyAnswer } from './answers.ts';
import { fileAnswer, fileContent, type Content } from './file-answer.ts';
import type { RequestContext } from './request-context.ts';
import type { PlainParameter, PlainRoute } from './route.ts';

type MediaCore = Pick<Core, 'frames' | 'projects' | 'tasks' | 'jobs'>;

/** Larger sources (scans, videos) are streamed; their checksum would cost reading them twice. */
const maxBufferedBytes = 64 * 1024 * 1024;
const thumbnailPixels = 256;
/** Asked for again each time, and answered 304 while nothing changed. */
const cacheControl = 'private, no-cache';

const dataParameters: readonly PlainParameter[] = [
  {
    name: 'type',
    in: 'query',
    description: 'What is wanted',
    required: true,
    values: ['chunk', 'frame', 'context_image'],
  },
  {
    name: 'quality',
    in: 'query',
    description: 'JPEG pictures, or the source files',
    values: ['compressed', 'original'],
  },
  { name: 'number', in: 'query', description: 'Frame or chunk, counted from 0 over the task' },
];

/** Frames, chunks and previews: binary answers with `Range`, `ETag`, `X-Checksum` and `X-Updated-Date`. */
export function mediaRoutes(core: MediaCore): PlainRoute[] {
  const data = (kind: 'task' | 'job'): PlainRoute => ({
    method: 'GET',
    path: `/api/${kind}s/{id}/data/`,
    tag: `${kind}s`,
    summary: `Frames and chunks of a ${kind}`,
    statuses: [200, 206],
    parameters: [
      ...dataParameters,
      ...(kind === 'job'
        ? [{ name: 'index', in: 'query', description: 'Chunk, counted from 0 over the job' } as const]
        : []),
    ],
    answer: (request, params) => answerData(core, kind, idOf(params), request),
  });
  const preview = (kind: 'project' | 'task' | 'job'): PlainRoute => ({
    method: 'GET',
    path: `/api/${kind}s/{id}/preview`,
    tag: `${kind}s`,
    summary: `A small picture of a ${kind}`,
    statuses: [200, 204],
    parameters: [{ name: 'Prefer', in: 'header', description: 'handling=empty: 204 where there is no picture' }],
    answer: (request, params) => answerPreview(core, kind, idOf(params), request),
  });
  return [data('task'), data('job'), preview('project'), preview('task'), preview('job')];
}

export function idOf(params: Readonly<Record<string, string>>): number {
  const id = params['id'] ?? '';
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}

const invalid = (message: string) => new AppError('invalid', message, [message]);

async function answerData(
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
      return answerChunk(core, range, chunkFrames(range, kind, query), quality, request);
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
  const store = await core.frames.store(range);
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
  return mediaAnswer(
    request,
    range,
    content,
    contentType,
    `${size.toString(36)}-${Math.trunc(modifiedMs).toString(36)}`,
  );
}

/** Quality 0, which the API allows, is the encoder's lowest. */
const jpegQuality = ({ media }: FrameRange) => Math.max(1, media.image_quality);

/** First and last frame of a chunk: of the task, or (by `index`) of the job. */
function chunkFrames(range: FrameRange, kind: 'task' | 'job', query: URLSearchParams): [first: number, last: number] {
  const size = range.media.chunk_size;
  const isIndex = kind === 'job' && query.has('index');
  if (isIndex && query.has('number')) throw invalid('Name either the number or the index of the chunk.');
  const wanted = wholeNumber(query, isIndex ? 'index' : 'number');
  const start = (isIndex ? range.first : 0) + wanted * size;
  const [first, last] = [Math.max(start, range.first), Math.min(start + size - 1, range.last)];
  if (first > last)
    throw new AppError('not-found', `There is no chunk ${wanted} here.`, {
      detail: `There is no chunk ${wanted} here.`,
    });
  return [first, last];
}

async function answerChunk(
  core: MediaCore,
  range: FrameRange,
  [first, last]: [first: number, last: number],
  quality: Quality,
  request: RequestContext,
): Promise<Response> {
  const store = await core.frames.store(range);
  const rows = core.frames.frames(range, first, last);
  const frames = rows.map((row) => ({ ...core.frames.stored(range, row), width: row.width, height: row.height }));
  const chunk = await createChunks({ location: core.frames.location(range), store }).chunk({
    frames,
    quality,
    imageQuality: jpegQuality(range),
    signal: request.signal,
  });
  const content = { path: chunk.path, sizeBytes: chunk.sizeBytes };
  return mediaAnswer(request, range, content, chunk.contentType, chunk.checksum, chunk.checksum);
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
  const store = await core.frames.store(range);
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

async function answerPreview(
  core: MediaCore,
  kind: 'project' | 'task' | 'job',
  id: number,
  request: RequestContext,
): Promise<Response> {
  const range = previewRange(core, request.actor, kind, id);
  if (!range) {
    if (/\bhandling\s*=\s*empty\b/.test(request.raw.headers.get('Prefer') ?? '')) return emptyAnswer(204);
    const message = `This ${kind} has no images yet.`;
    throw new AppError('not-found', message, { detail: message });
  }
  const store = await core.frames.store(range);
  const frame = core.frames.stored(range, core.frames.frame(range, range.first));
  const bytes = await store.thumbnail(frame, thumbnailPixels, request.signal);
  return mediaAnswer(request, range, { bytes: owned(bytes) }, 'image/jpeg');
}

function previewRange(
  core: MediaCore,
  actor: Actor,
  kind: 'project' | 'task' | 'job',
  id: number,
): FrameRange | undefined {
  if (kind === 'job') return core.frames.ofJob(actor, id);
  if (kind === 'task') return core.tasks.get(actor, id).data === null ? undefined : core.frames.ofTask(actor, id);
  core.projects.get(actor, id);
  const withImages = JSON.stringify({ '!=': [{ var: 'dimension' }, ''] });
  const equals = { project_id: String(id) };
  const [task] = core.tasks.list(actor, { page: 1, pageSize: 1, sort: 'id', filter: withImages, equals }).results;
  return task && core.frames.ofTask(actor, task.id);
}

function mediaAnswer(
  request: RequestContext,
  { media }: FrameRange,
  content: Content,
  contentType: string,
  etag?: string,
  checksum?: string,
): Response {
  const digest = checksum ?? ('bytes' in content ? crc32(content.bytes).toString(16).padStart(8, '0') : undefined);
  return fileAnswer(request.raw, {
    content,
    contentType,
    etag: etag ?? digest ?? randomUUID(),
    cacheControl,
    headers: { ...(digest === undefined ? {} : { 'X-Checksum': digest }), 'X-Updated-Date': media.created_date },
  });
}

/** Answers take bytes of their own memory, which is what the image library and the file system give. */
const owned = (bytes: Buffer) => bytes as Buffer<ArrayBuffer>;
