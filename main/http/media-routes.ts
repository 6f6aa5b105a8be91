import { videoTimesSchema } from '../../preload/contract/schema/resources.ts';
import type { Core } from '../core.ts';
import { notFound } from '../platform/errors.ts';
import { jsonAnswer } from './answers.ts';
import { mediaAnswer } from './media-answer.ts';
import { answerData, wholeNumber } from './media-data.ts';
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
  const thumbnail: PlainRoute = {
    method: 'GET',
    path: '/api/limner/jobs/{id}/thumbnail',
    tag: 'limner',
    summary: 'A small picture of a frame',
    statuses: [200, 206],
    parameters: [{ name: 'number', in: 'query', description: 'Frame, counted from 0 over the task', required: true }],
    answer: async (request, params) => {
      const range = core.frames.ofJob(request.actor, idOf(params));
      const number = wholeNumber(request.url.searchParams, 'number');
      return mediaAnswer(request, range, await core.frames.of(range).thumbnail(number, request.signal));
    },
  };
  const previews = (['project', 'task', 'job'] as const).map(preview);
  return [data('task'), data('job'), ...previews, video, videoTimes, thumbnail];
}

export function idOf(params: Readonly<Record<string, string>>): number {
  const id = params['id'] ?? '';
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}
