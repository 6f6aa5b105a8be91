import type { annotationOperations } from '../../../preload/contract/operations/work.ts';
import { parseAction } from '../../work/annotations/annotation-service.ts';
import type { Core } from '../../core.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { serialised, type HandlersOf } from '../handler.ts';
import type { RequestContext } from '../request-context.ts';
import { removedForm } from '../transfer-routes.ts';

/** Clients of before 2024 exported by this request with a format. */
function refuseRemovedForm({ url }: RequestContext): void {
  if (url.searchParams.has('format')) throw new AppError('gone', removedForm, removedForm);
}

/** A save that carries this header is applied once, however often it is sent. */
const saveKey = ({ raw }: RequestContext) => raw.headers.get('Idempotency-Key') ?? undefined;

const changeOwners = ['task', 'job', 'project'] as const;

export function createAnnotationHandlers({
  annotations,
  annotationChanges,
}: Pick<Core, 'annotations' | 'annotationChanges'>): HandlersOf<typeof annotationOperations> {
  return {
    getTaskAnnotations({ actor, params, query, request }) {
      refuseRemovedForm(request);
      return serialised(annotations.readTaskJson(actor, params.id, query.frame));
    },
    replaceTaskAnnotations: ({ actor, params, body }) => annotations.replaceTask(actor, params.id, body),
    changeTaskAnnotations: ({ actor, params, query, body, request }) =>
      annotations.changeTask(actor, params.id, parseAction(query.action), body, saveKey(request)),
    clearTaskAnnotations: ({ actor, params }) => annotations.clearTask(actor, params.id),
    getJobAnnotations({ actor, params, query, request }) {
      refuseRemovedForm(request);
      return serialised(annotations.readJobJson(actor, params.id, query.frame));
    },
    replaceJobAnnotations: ({ actor, params, body }) => annotations.replaceJob(actor, params.id, body),
    changeJobAnnotations: ({ actor, params, query, body, request }) =>
      annotations.changeJob(actor, params.id, parseAction(query.action), body, saveKey(request)),
    clearJobAnnotations: ({ actor, params }) => annotations.clearJob(actor, params.id),
    listAnnotationChanges({ actor, query }) {
      const [owner, other] = changeOwners.flatMap((kind) => {
        const id = query[`${kind}_id`];
        return id === undefined ? [] : [{ kind, id }];
      });
      if (!owner || other) throw invalidField('task_id', 'Name one: task_id, job_id or project_id.');
      return { results: annotationChanges.list(actor, owner.kind, owner.id) };
    },
    takeBackAnnotationChange: ({ actor, params }) => annotationChanges.takeBack(actor, params.id),
  };
}
