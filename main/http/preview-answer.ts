import type { Actor } from '../people/access/actor.ts';
import type { Core } from '../core.ts';
import type { FrameRange } from '../work/tasks/frame-service.ts';
import { AppError } from '../platform/errors.ts';
import { emptyAnswer } from './answers.ts';
import { mediaAnswer } from './media-answer.ts';
import type { RequestContext } from './request-context.ts';

type MediaCore = Pick<Core, 'frames' | 'projects' | 'tasks'>;

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
