import type { downloadOperations } from '../../../preload/contract/operations/downloads.ts';
import { eventsQuerySchema } from '../../../preload/contract/operations/activity.ts';
import type { Services } from '../../composition/services.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { eventExport } from '../event-export.ts';
import { attachment, fileAnswer, fileContent } from '../file-answer.ts';
import type { RawHandlersOf } from '../handler.ts';
import type { RequestContext } from '../request-context.ts';
import { jsonAnswer } from '../responses.ts';
import { parseInput } from '../validation.ts';

export const removedForm =
  'Exporting by this request is no longer possible. Start it with POST …/dataset/export or …/backup/export and ask /api/requests about it.';

function removed(): never {
  throw new AppError('gone', removedForm, removedForm);
}

export function createDownloadHandlers({
  analytics,
  requests,
}: Pick<Services, 'analytics' | 'requests'>): RawHandlersOf<typeof downloadOperations> {
  const resultOf = async ({ raw, actor }: RequestContext, id: string): Promise<Response> => {
    const { file, name } = requests.result(actor, id);
    return fileAnswer(raw, {
      ...(await fileContent(file)),
      contentType: /\.zip$/i.test(name) ? 'application/zip' : 'application/octet-stream',
      cacheControl: 'private, no-cache',
      headers: { 'Content-Disposition': attachment(name) },
    });
  };
  const download = ({
    query,
    request,
  }: {
    readonly query: { readonly rq_id?: string | undefined };
    readonly request: RequestContext;
  }) => resultOf(request, query.rq_id ?? '');
  return {
    downloadProjectDataset: download,
    downloadTaskDataset: download,
    downloadJobDataset: download,
    downloadProjectBackup: download,
    downloadTaskBackup: download,
    downloadEvents: download,
    getEvents({ actor, query, request }) {
      const id = query.query_id ?? '';
      if (id === '') {
        const wanted = parseInput(eventsQuerySchema, Object.fromEntries(request.url.searchParams));
        return jsonAnswer({ query_id: analytics.startExport(actor, eventExport(wanted)).rq_id }, 202);
      }
      if (query.action === 'download') return resultOf(request, id);
      const { status, message } = requests.get(actor, id);
      if (status === 'failed') throw invalidRequest(message);
      return jsonAnswer({ query_id: id }, status === 'finished' ? 201 : 202);
    },
    removedProjectExport: removed,
    removedTaskExport: removed,
    removedJobExport: removed,
    removedProjectBackup: removed,
    removedTaskBackup: removed,
  };
}
