import { pictureTilesSchema, videoTimesSchema } from '../../preload/contract/schema/resources.ts';
import type { Core } from '../core.ts';
import { notFound } from '../platform/errors.ts';
import { jsonAnswer } from './answers.ts';
import { mediaAnswer } from './media-answer.ts';
import { answerData } from './media-data.ts';
import { answerPreview } from './preview-answer.ts';
import type { PlainParameter, PlainRoute } from './route.ts';

type MediaCore = Pick<Core, 'frames' | 'projects' | 'tasks'>;

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
  /** Limner's own: for a client that decodes the video itself and shows the same frame for the same number. */
  const video: PlainRoute = {
    method: 'GET',
    path: '/api/limner/jobs/{id}/video',
    tag: 'limner',
    summary: 'The video that the frames of a job are from',
    statuses: [200, 206],
    parameters: [],
    answer: async (request, params) => {
      const range = core.frames.ofJob(request.actor, idOf(params));
      return mediaAnswer(request, range, await core.frames.of(range).video());
    },
  };
  const videoTimes: PlainRoute = {
    method: 'GET',
    path: '/api/limner/jobs/{id}/video-times',
    tag: 'limner',
    summary: "When in the video each of the job's frames is shown",
    statuses: [200],
    outputs: { 200: videoTimesSchema },
    parameters: [],
    answer: async (request, params) => {
      const range = core.frames.ofJob(request.actor, idOf(params));
      return jsonAnswer(await core.frames.of(range).videoTimes(request.signal));
    },
  };
  const previews = (['project', 'task', 'job'] as const).map(preview);
  return [...frameRoutes(core), data('task'), data('job'), ...previews, video, videoTimes];
}

/** Limner's own: small pictures, and large ones, of which a client need not hold more than it shows. */
function frameRoutes(core: Pick<Core, 'frames'>): PlainRoute[] {
  const path = '/api/limner/jobs/{id}/frames/{frame}';
  const common = { method: 'GET', tag: 'limner', parameters: [] } as const;
  return [
    {
      ...common,
      path: `${path}/thumbnail`,
      summary: 'A frame with at most 256 pixels on its longer side',
      statuses: [200, 206],
      answer: async (request, params) => {
        const range = core.frames.ofJob(request.actor, idOf(params));
        const content = await core.frames.of(range).thumbnail(numberOf(params, 'frame'), request.signal);
        return mediaAnswer(request, range, content);
      },
    },
    {
      ...common,
      path: `${path}/overview`,
      summary: 'A frame with at most 2048 pixels on its longer side',
      statuses: [200, 206],
      answer: async (request, params) => {
        const range = core.frames.ofJob(request.actor, idOf(params));
        const content = await core.frames.of(range).overview(numberOf(params, 'frame'), request.signal);
        return mediaAnswer(request, range, content);
      },
    },
    {
      ...common,
      path: `${path}/tiles`,
      summary: 'Makes the tiles of a frame, where they are not kept, and says how they lie',
      statuses: [200],
      outputs: { 200: pictureTilesSchema },
      answer: async (request, params) => {
        const range = core.frames.ofJob(request.actor, idOf(params));
        return jsonAnswer(await core.frames.of(range).tiles(numberOf(params, 'frame'), request.signal));
      },
    },
    {
      ...common,
      path: `${path}/tiles/{level}/{column}/{row}`,
      summary: "One tile of a frame, as it lies in the picture's file",
      statuses: [200, 206],
      answer: async (request, params) => {
        const range = core.frames.ofJob(request.actor, idOf(params));
        const place = {
          level: numberOf(params, 'level'),
          column: numberOf(params, 'column'),
          row: numberOf(params, 'row'),
        };
        const content = await core.frames.of(range).tile(numberOf(params, 'frame'), place, request.signal);
        return mediaAnswer(request, range, content);
      },
    },
  ];
}

function numberOf(params: Readonly<Record<string, string>>, name: string): number {
  const text = params[name] ?? '';
  if (!/^\d{1,9}$/.test(text)) throw notFound();
  return Number(text);
}

export function idOf(params: Readonly<Record<string, string>>): number {
  const id = params['id'] ?? '';
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}
