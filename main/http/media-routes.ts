import type { z } from 'zod';
import { displayFactsSchema, imageTilesSchema, videoTimesSchema } from '../../preload/contract/schema/resources.ts';
import type { Services } from '../composition/services.ts';
import type { Display } from '../media/display.ts';
import type { MediaContent, RangeFrames, FrameQuality } from '../media/range-frames.ts';
import { notFound, AppError, invalidRequest } from '../platform/errors.ts';
import { jsonAnswer, emptyAnswer } from './responses.ts';
import type { RequestContext } from './request-context.ts';
import type { PlainParameter, PlainRoute } from './route.ts';
import type { Actor } from '../users/access/actor.ts';
import type { FrameRange } from '../work/tasks/frame-service.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { fileAnswer } from './file-answer.ts';
import { defined } from '../platform/defined.ts';

type MediaCore = Pick<Services, 'frames' | 'projects' | 'tasks'>;
type Params = Readonly<Record<string, string>>;

/** Parameters of compressed frames, for images with more bands or bits than a screen shows. */
const displayParameters: readonly PlainParameter[] = [
  {
    name: 'bands',
    in: 'query',
    description: 'One band as gray, or three as red, green and blue: 3,0,1. Counted from 0',
  },
  { name: 'window', in: 'query', description: 'Percentiles of the values that become black and white: 1,99' },
];

const dataParameters: readonly PlainParameter[] = [
  {
    name: 'type',
    in: 'query',
    description: 'Type of data',
    required: true,
    values: ['chunk', 'frame', 'context_image'],
  },
  {
    name: 'quality',
    in: 'query',
    description: 'JPEG images or the source files',
    values: ['compressed', 'original'],
  },
  { name: 'number', in: 'query', description: 'Frame or chunk, counted from 0 over the task' },
  ...displayParameters,
];

/** Frames, chunks and previews: binary answers with `Range`, `ETag`, `X-Checksum` and `X-Updated-Date`. */
export function mediaRoutes(core: MediaCore): PlainRoute[] {
  const data = (kind: 'task' | 'job'): PlainRoute => ({
    method: 'GET',
    path: `/api/${kind}s/{id}/data/`,
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
    summary: `Preview of a ${kind}`,
    statuses: [200, 204],
    parameters: [{ name: 'Prefer', in: 'header', description: 'handling=empty: 204 without a preview' }],
    answer: (request, params) => answerPreview(core, kind, idOf(params), request),
  });
  const previews = (['project', 'task', 'job'] as const).map(preview);
  return [...jobRoutes(core), data('task'), data('job'), ...previews];
}

/** Limner extension: tiles of images that are larger than the view, and the video for clients that decode it. */
function jobRoutes({ frames }: Pick<Services, 'frames'>): PlainRoute[] {
  const job = '/api/limner/jobs/{id}';
  const frame = `${job}/frames/{frame}`;
  type Work<Result> = (of: RangeFrames, params: Params, request: RequestContext) => Promise<Result>;
  const media = (
    path: string,
    summary: string,
    contentOf: Work<MediaContent>,
    parameters: readonly PlainParameter[] = [],
  ): PlainRoute => ({
    method: 'GET',
    path,
    summary,
    parameters,
    statuses: [200, 206],
    async answer(request, params) {
      const range = frames.ofJob(request.actor, idOf(params));
      return mediaAnswer(request, range, await contentOf(frames.of(range), params, request));
    },
  });
  const facts = (
    path: string,
    summary: string,
    output: z.ZodType,
    factsOf: Work<object>,
    parameters: readonly PlainParameter[] = [],
  ): PlainRoute => ({
    method: 'GET',
    path,
    summary,
    parameters,
    statuses: [200],
    outputs: { 200: output },
    async answer(request, params) {
      const range = frames.ofJob(request.actor, idOf(params));
      return jsonAnswer(await factsOf(frames.of(range), params, request));
    },
  });
  return [
    media(`${frame}/thumbnail`, 'A frame with at most 256 pixels on its longer side', (of, params, { signal }) =>
      of.thumbnail(numberOf(params, 'frame'), signal),
    ),
    media(
      `${frame}/overview`,
      'A frame with at most 2048 pixels on its longer side',
      (of, params, { signal, url }) => of.overview(numberOf(params, 'frame'), signal, displayOf(url.searchParams)),
      displayParameters,
    ),
    facts(
      `${frame}/display`,
      'Bands and value range of an image, to choose how it is displayed',
      displayFactsSchema,
      async (of, params) => {
        const { hasWindow, ...known } = await of.displayFacts(numberOf(params, 'frame'));
        return { ...known, has_window: hasWindow };
      },
    ),
    facts(
      `${frame}/tiles`,
      'Create the tiles of a frame if necessary, and describe their layout',
      imageTilesSchema,
      (of, params, { signal, url }) => of.tiles(numberOf(params, 'frame'), signal, displayOf(url.searchParams)),
      displayParameters,
    ),
    media(
      `${frame}/tiles/{level}/{column}/{row}`,
      'One tile of a frame, without EXIF rotation',
      (of, params, { signal, url }) => {
        const [level, column, row] = [numberOf(params, 'level'), numberOf(params, 'column'), numberOf(params, 'row')];
        return of.tile(numberOf(params, 'frame'), { level, column, row }, signal, displayOf(url.searchParams));
      },
      displayParameters,
    ),
    // The same frame for the same number.
    media(`${job}/video`, "Video of a job's frames", (of) => of.video()),
    facts(
      `${job}/video-times`,
      "Presentation times of the job's frames in the video",
      videoTimesSchema,
      (of, _params, { signal }) => of.videoTimes(signal),
    ),
  ];
}

function numberOf(params: Params, name: string): number {
  const text = params[name] ?? '';
  if (!/^\d{1,9}$/.test(text)) throw notFound();
  return Number(text);
}

export function idOf(params: Params): number {
  const id = params['id'] ?? '';
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}

/** Answers `?type=frame`, `chunk` or `context_image` of a task or job. */
async function answerData(
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
      return frames.frame(wholeNumber(query, 'number'), quality, signal, displayOf(query));
    case 'chunk': {
      const isIndex = kind === 'job' && query.has('index');
      if (isIndex && query.has('number')) throw invalidRequest('Give either the number or the index of the chunk.');
      const number = wholeNumber(query, isIndex ? 'index' : 'number');
      return frames.chunk(number, isIndex ? 'range' : 'task', quality, signal);
    }
    case 'context_image':
      return frames.context(wholeNumber(query, 'number'));
    default:
      throw invalidRequest('The type must be "frame", "chunk" or "context_image".');
  }
}

function qualityOf(query: URLSearchParams): FrameQuality {
  const quality = query.get('quality') ?? 'compressed';
  if (quality === 'compressed' || quality === 'original') return quality;
  throw invalidRequest('The quality must be "compressed" or "original".');
}

const bandsPattern = /^\d{1,4}(,\d{1,4},\d{1,4})?$/;
const windowPattern = /^\d{1,3}(\.\d{1,3})?,\d{1,3}(\.\d{1,3})?$/;

/** Returns undefined if neither bands nor a window are chosen. */
function displayOf(query: URLSearchParams): Display | undefined {
  const [bands, window] = [query.get('bands'), query.get('window')];
  if (bands === null && window === null) return undefined;
  if (bands !== null && !bandsPattern.test(bands)) {
    throw invalidRequest(`Invalid bands "${bands}". Give one or three numbers, for example 2 or 3,0,1.`);
  }
  const [low = 0, high = 100] = window === null ? [] : window.split(',').map(Number);
  if (window !== null && !(windowPattern.test(window) && low < high && high <= 100)) {
    throw invalidRequest(`Invalid window "${window}". Give two ascending percentiles, for example 1,99.`);
  }
  return {
    ...(bands === null ? {} : { bands: bands.split(',').map(Number) }),
    ...(window === null ? {} : { window: [low, high] as const }),
  };
}

function wholeNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  if (text === null) throw invalidRequest(`The parameter ${name} is missing.`);
  if (!/^\d{1,9}$/.test(text)) throw invalidRequest(`The parameter ${name} must be a whole number.`);
  return Number(text);
}

/** Small version of the first frame. Without one answers 404, or 204 if the client prefers it. */
async function answerPreview(
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
