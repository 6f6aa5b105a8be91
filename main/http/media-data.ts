import type { Core } from '../core.ts';
import type { FrameQuality, MediaContent, RangeFrames } from '../media/range-frames.ts';
import type { Actor } from '../people/access/actor.ts';
import { AppError, invalidRequest } from '../platform/errors.ts';
import type { FrameRange } from '../work/tasks/frame-service.ts';
import { emptyAnswer } from './answers.ts';
import type { RequestContext } from './request-context.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { fileAnswer } from './file-answer.ts';

type MediaCore = Pick<Core, 'frames' | 'projects' | 'tasks'>;

/** Answers `?type=frame`, `chunk` or `context_image` of a task or job. */
export async function answerData(
  core: MediaCore,
  kind: 'task' | 'job',
  id: number,
  request: RequestContext,
): Promise<Response> {
  const range = kind === 'task' ? core.frames.ofTask(request.actor, id) : core.frames.ofJob(request.actor, id);
  return mediaAnswer(request, range, await contentOf(core.frames.of(range), kind, request));
}

function contentOf(
  frames: RangeFrames,
  kind: 'task' | 'job',
  { url: { searchParams: query }, signal }: RequestContext,
): Promise<MediaContent> {
  const quality = qualityOf(query);
  switch (query.get('type')) {
    case 'frame':
      return frames.frame(wholeNumber(query, 'number'), quality, signal);
    case 'chunk': {
      const isIndex = kind === 'job' && query.has('index');
      if (isIndex && query.has('number')) throw invalidRequest('Name either the number or the index of the chunk.');
      const number = wholeNumber(query, isIndex ? 'index' : 'number');
      return frames.chunk(number, isIndex ? 'range' : 'task', quality, signal);
    }
    case 'context_image':
      return frames.context(wholeNumber(query, 'number'));
    default:
      throw invalidRequest('The type of data is "frame", "chunk" or "context_image".');
  }
}

function qualityOf(query: URLSearchParams): FrameQuality {
  const quality = query.get('quality') ?? 'compressed';
  if (quality === 'compressed' || quality === 'original') return quality;
  throw invalidRequest('The quality is "compressed" or "original".');
}

function wholeNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  if (text === null) throw invalidRequest(`The ${name} of the wanted data is missing.`);
  if (!/^\d{1,9}$/.test(text)) throw invalidRequest(`The ${name} must be a whole number.`);
  return Number(text);
}

/** A small picture of the first frame; without one 404, or 204 where the client prefers it. */
export async function answerPreview(
  core: MediaCore,
  kind: 'project' | 'task' | 'job',
  id: number,
  request: RequestContext,
): Promise<Response> {
  const range = previewRange(core, request.actor, kind, id);
  if (!range) {
    if (/\bhandling\s*=\s*empty\b/.test(request.raw.headers.get('Prefer') ?? '')) {
      return emptyAnswer(204, new Headers({ 'Preference-Applied': 'handling=empty' }));
    }
    throw new AppError('not-found', `This ${kind} has no images yet.`);
  }
  return mediaAnswer(request, range, await core.frames.of(range).preview(request.signal));
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

/** Asked for again each time, and answered 304 while nothing changed. */
const cacheControl = 'private, no-cache';

/** Summed up without a pause: under a millisecond. */
const pieceBytes = 1024 * 1024;

/** Media with the headers that clients compare. Bytes in memory get their checksum here. */
export async function mediaAnswer(
  request: RequestContext,
  { media }: FrameRange,
  content: MediaContent,
): Promise<Response> {
  const checksum = 'bytes' in content ? await checksumOf(content.bytes) : content.checksum;
  const etag = 'bytes' in content ? checksum : content.etag;
  return fileAnswer(request.raw, {
    // Answers take bytes of their own memory, which is what the image library and the file system give.
    content: 'bytes' in content ? { bytes: content.bytes as Buffer<ArrayBuffer> } : content,
    contentType: content.contentType,
    ...(etag === undefined ? {} : { etag }),
    cacheControl,
    headers: { ...(checksum === undefined ? {} : { 'X-Checksum': checksum }), 'X-Updated-Date': media.created_date },
  });
}

/** Others are answered between the pieces: a frame may have 50 MB. */
async function checksumOf(bytes: Uint8Array): Promise<string> {
  let sum = crc32(bytes.subarray(0, pieceBytes));
  for (let start = pieceBytes; start < bytes.byteLength; start += pieceBytes) {
    await nextTurn();
    sum = crc32(bytes.subarray(start, start + pieceBytes), sum);
  }
  return sum.toString(16).padStart(8, '0');
}
