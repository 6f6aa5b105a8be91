import type { z } from 'zod';
import type { displayQuery, jobDataQuery, mediaOperations } from '../../../preload/contract/operations/media.ts';
import type { Services } from '../../composition/services.ts';
import type { Display } from '../../media/display.ts';
import type { MediaContent, RangeFrames, FrameQuality } from '../../media/range-frames.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { emptyAnswer } from '../responses.ts';
import type { RequestContext } from '../request-context.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { FrameRange } from '../../work/tasks/frame-service.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { fileAnswer } from '../file-answer.ts';
import { receiveImages } from '../uploads/receive-images.ts';
import type { RawHandlersOf } from '../handler.ts';
import { defined } from '../../platform/defined.ts';

interface Preview {
  readonly actor: Actor;
  readonly params: { readonly id: number; readonly frame?: number };
  readonly request: RequestContext;
}
type DisplayQuery = z.output<typeof displayQuery>;
type DataQuery = z.output<typeof jobDataQuery>;

/** Frames, chunks and previews: binary answers with `Range`, `ETag`, `X-Checksum` and `X-Updated-Date`. */
export function createMediaHandlers(
  { frames, projects, tasks, unsentImages }: Services,
  receivedImages: string,
): RawHandlersOf<typeof mediaOperations> {
  const jobFrames = (actor: Actor, { id }: { readonly id: number }) => frames.of(frames.ofJob(actor, id));
  /** One frame, whose size is known. */
  const jobFrame = async (actor: Actor, { id, frame }: { readonly id: number; readonly frame: number }) => {
    const range = frames.ofJob(actor, id);
    await frames.prepared(range, frame);
    return frames.of(range);
  };
  const ofJob = async (
    { actor, params, request }: Preview,
    contentOf: (of: RangeFrames) => Promise<MediaContent>,
    prepare: (range: FrameRange) => Promise<void> = (range) => frames.prepared(range, params.frame),
  ): Promise<Response> => {
    const range = frames.ofJob(actor, params.id);
    await prepare(range);
    return mediaAnswer(request, range, await contentOf(frames.of(range)));
  };
  /** Reads what a query asks for: one frame, or all for chunks. */
  const asked = (range: FrameRange, query: DataQuery, signal: AbortSignal): Promise<void> =>
    frames.prepared(range, query.type === 'frame' ? wholeNumber(query, 'number') : undefined, signal);
  const preview = async (kind: string, range: FrameRange | undefined, request: RequestContext): Promise<Response> => {
    if (range) {
      await frames.prepared(range, range.included?.[0] ?? range.first);
      return mediaAnswer(request, range, await frames.of(range).preview(request.signal));
    }
    if (/\bhandling\s*=\s*empty\b/.test(request.raw.headers.get('Prefer') ?? '')) {
      return emptyAnswer(204, new Headers({ 'Preference-Applied': 'handling=empty' }));
    }
    throw new AppError('not-found', `This ${kind} has no images yet.`);
  };
  const ofTask = (actor: Actor, id: number) =>
    tasks.get(actor, id).data === null ? undefined : frames.ofTask(actor, id);
  const ofProject = (actor: Actor, id: number) => {
    projects.get(actor, id);
    const withImages = JSON.stringify({ '!=': [{ var: 'dimension' }, ''] });
    const equals = { project_id: String(id) };
    const [task] = tasks.list(actor, { page: 1, pageSize: 1, sort: 'id', filter: withImages, equals }).results;
    return task && frames.ofTask(actor, task.id);
  };
  return {
    getFrameThumbnail: (input) => ofJob(input, (of) => of.thumbnail(input.params.frame, input.request.signal)),
    getFrameOverview: (input) =>
      ofJob(input, (of) => of.overview(input.params.frame, input.request.signal, displayOf(input.query))),
    async getFrameDisplay({ actor, params }) {
      const { hasWindow, ...known } = await (await jobFrame(actor, params)).displayFacts(params.frame);
      return { ...known, has_window: hasWindow };
    },
    async getFrameTiles(input) {
      const of = await jobFrame(input.actor, input.params);
      return of.tiles(input.params.frame, input.request.signal, displayOf(input.query));
    },
    getFrameTile: (input) =>
      ofJob(input, (of) => {
        const { frame, level, column, row } = input.params;
        return of.tile(frame, { level, column, row }, input.request.signal, displayOf(input.query));
      }),
    // The same frame for the same number.
    getJobVideo: (input) => ofJob(input, (of) => of.video()),
    getJobVideoTimes: ({ actor, params, request }) => jobFrames(actor, params).videoTimes(request.signal),
    sendTaskImages({ actor, params: { id }, request }) {
      unsentImages.requireOpen(actor, id);
      return receiveImages(request, {
        directory: receivedImages,
        takes: (frame) => unsentImages.takes(actor, id, frame),
        take: (files) => unsentImages.take(actor, id, files),
      });
    },
    async getTaskData(input) {
      const range = frames.ofTask(input.actor, input.params.id);
      await asked(range, input.query, input.request.signal);
      return mediaAnswer(input.request, range, await contentOf(frames.of(range), input.query, input.request.signal));
    },
    getJobData: (input) =>
      ofJob(
        input,
        (of) => contentOf(of, input.query, input.request.signal),
        (range) => asked(range, input.query, input.request.signal),
      ),
    getProjectPreview: ({ actor, params, request }) => preview('project', ofProject(actor, params.id), request),
    getTaskPreview: ({ actor, params, request }) => preview('task', ofTask(actor, params.id), request),
    getJobPreview: ({ actor, params, request }) => preview('job', frames.ofJob(actor, params.id), request),
  };
}

/** Answers `?type=frame`, `chunk` or `context_image` of a task or job. Only jobs have an index. */
function contentOf(frames: RangeFrames, query: DataQuery, signal: AbortSignal): Promise<MediaContent> {
  const quality = qualityOf(query);
  switch (query.type) {
    case 'frame':
      return frames.frame(wholeNumber(query, 'number'), quality, signal, displayOf(query));
    case 'chunk': {
      const isIndex = query.index !== undefined;
      if (isIndex && query.number !== undefined) {
        throw invalidRequest('Give either the number or the index of the chunk.');
      }
      const number = wholeNumber(query, isIndex ? 'index' : 'number');
      return frames.chunk(number, isIndex ? 'range' : 'task', quality, signal);
    }
    case 'context_image':
      return frames.context(wholeNumber(query, 'number'));
    default:
      throw invalidRequest('The type must be "frame", "chunk" or "context_image".');
  }
}

function qualityOf({ quality = 'compressed' }: DataQuery): FrameQuality {
  if (quality === 'compressed' || quality === 'original') return quality;
  throw invalidRequest('The quality must be "compressed" or "original".');
}

const bandsPattern = /^\d{1,4}(,\d{1,4},\d{1,4})?$/;
const windowPattern = /^\d{1,3}(\.\d{1,3})?,\d{1,3}(\.\d{1,3})?$/;

/** Returns undefined if neither bands nor a window are chosen. */
function displayOf({ bands, window }: DisplayQuery): Display | undefined {
  if (bands === undefined && window === undefined) return undefined;
  if (bands !== undefined && !bandsPattern.test(bands)) {
    throw invalidRequest(`Invalid bands "${bands}". Give one or three numbers, for example 2 or 3,0,1.`);
  }
  const [low = 0, high = 100] = window === undefined ? [] : window.split(',').map(Number);
  if (window !== undefined && !(windowPattern.test(window) && low < high && high <= 100)) {
    throw invalidRequest(`Invalid window "${window}". Give two ascending percentiles, for example 1,99.`);
  }
  return {
    bands: bands?.split(',').map(Number),
    window: window === undefined ? undefined : ([low, high] as const),
  };
}

function wholeNumber(query: DataQuery, name: 'number' | 'index'): number {
  const text = query[name];
  if (text === undefined) throw invalidRequest(`The parameter ${name} is missing.`);
  if (!/^\d{1,9}$/.test(text)) throw invalidRequest(`The parameter ${name} must be a whole number.`);
  return Number(text);
}

/** Clients revalidate each time and get 304 while nothing has changed. */
const cacheControl = 'private, no-cache';

/** Hashing this many bytes takes less than a millisecond. */
const pieceBytes = 1024 * 1024;

/** Media with the headers that clients compare. Computes the checksum of bytes in memory. */
async function mediaAnswer(request: RequestContext, { media }: FrameRange, content: MediaContent): Promise<Response> {
  const checksum = 'bytes' in content ? await checksumOf(content.bytes) : content.checksum;
  const etag = 'bytes' in content ? checksum : content.etag;
  return fileAnswer(request.raw, {
    // Answers need bytes that are not in shared memory; sharp and the file system return such bytes.
    content: 'bytes' in content ? { bytes: content.bytes as Buffer<ArrayBuffer> } : content,
    contentType: content.contentType,
    ...defined({ etag }),
    cacheControl,
    headers: { ...defined({ 'X-Checksum': checksum }), 'X-Updated-Date': media.created_date },
  });
}

/** Lets other requests run between the chunks: a frame can have 50 MB. */
async function checksumOf(bytes: Uint8Array): Promise<string> {
  let sum = crc32(bytes.subarray(0, pieceBytes));
  for (let start = pieceBytes; start < bytes.byteLength; start += pieceBytes) {
    await nextTurn();
    sum = crc32(bytes.subarray(start, start + pieceBytes), sum);
  }
  return sum.toString(16).padStart(8, '0');
}
