import type { annotationOperations } from '../../../preload/contract/operations/work.ts';
import { parseAction } from '../../core/annotations/annotation-service.ts';
import type { Core } from '../../core/core.ts';
import { AppError } from '../../platform/errors.ts';
import { serialised, type HandlersOf } from '../handler.ts';
import type { RequestContext } from '../request-context.ts';
import { removedForm } from '../transfer-routes.ts';

/** Clients of before 2024 exported by this request with a format. */
function refuseRemovedForm({ url }: RequestContext): void {
  if (url.searchParams.has('format')) throw new AppError('gone', removedForm, removedForm);
}

/** A save that carries this header is applied once, however often it is sent. */
const saveKey = ({ raw }: RequestContext) => raw.headers.get('Idempotency-Key') ?? undefined;

export function createAnnotationHandlers({
  annotations,
}: Pick<Core, 'annotations'>): HandlersOf<typeof annotationOperations> {
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
  };
}
