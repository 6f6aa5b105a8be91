import type { Core } from '../core.ts';
import type { FrameQuality, MediaContent, RangeFrames } from '../media/range-frames.ts';
import { invalidRequest } from '../platform/errors.ts';
import { mediaAnswer } from './media-answer.ts';
import type { RequestContext } from './request-context.ts';

type MediaCore = Pick<Core, 'frames'>;

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
