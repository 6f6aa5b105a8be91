import type { z } from 'zod';
import { pictureTilesSchema, videoTimesSchema } from '../../preload/contract/schema/resources.ts';
import type { Core } from '../core.ts';
import type { MediaContent, RangeFrames } from '../media/range-frames.ts';
import { notFound } from '../platform/errors.ts';
import { jsonAnswer } from './answers.ts';
import { mediaAnswer, answerData, answerPreview } from './media-data.ts';
import type { RequestContext } from './request-context.ts';
import type { PlainParameter, PlainRoute } from './route.ts';

type MediaCore = Pick<Core, 'frames' | 'projects' | 'tasks'>;
type Params = Readonly<Record<string, string>>;

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
    summary: `A small picture of a ${kind}`,
    statuses: [200, 204],
    parameters: [{ name: 'Prefer', in: 'header', description: 'handling=empty: 204 where there is no picture' }],
    answer: (request, params) => answerPreview(core, kind, idOf(params), request),
  });
  const previews = (['project', 'task', 'job'] as const).map(preview);
  return [...jobRoutes(core), data('task'), data('job'), ...previews];
}

/** Limner's own: pictures of which a client need not hold more than it shows, and the video for one that decodes it. */
function jobRoutes({ frames }: Pick<Core, 'frames'>): PlainRoute[] {
  const job = '/api/limner/jobs/{id}';
  const frame = `${job}/frames/{frame}`;
  type Work<Result> = (of: RangeFrames, params: Params, request: RequestContext) => Promise<Result>;
  const media = (path: string, summary: string, contentOf: Work<MediaContent>): PlainRoute => ({
    method: 'GET',
    path,
    summary,
    statuses: [200, 206],
    async answer(request, params) {
      const range = frames.ofJob(request.actor, idOf(params));
      return mediaAnswer(request, range, await contentOf(frames.of(range), params, request));
    },
  });
  const facts = (path: string, summary: string, output: z.ZodType, factsOf: Work<object>): PlainRoute => ({
    method: 'GET',
    path,
    summary,
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
    media(`${frame}/overview`, 'A frame with at most 2048 pixels on its longer side', (of, params, { signal }) =>
      of.overview(numberOf(params, 'frame'), signal),
    ),
    facts(
      `${frame}/tiles`,
      'Makes the tiles of a frame, where they are not kept, and says how they lie',
      pictureTilesSchema,
      (of, params, { signal }) => of.tiles(numberOf(params, 'frame'), signal),
    ),
    media(
      `${frame}/tiles/{level}/{column}/{row}`,
      "One tile of a frame, as it lies in the picture's file",
      (of, params, { signal }) => {
        const [level, column, row] = [numberOf(params, 'level'), numberOf(params, 'column'), numberOf(params, 'row')];
        return of.tile(numberOf(params, 'frame'), { level, column, row }, signal);
      },
    ),
    // The same frame for the same number.
    media(`${job}/video`, 'The video that the frames of a job are from', (of) => of.video()),
    facts(
      `${job}/video-times`,
      "When in the video each of the job's frames is shown",
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
