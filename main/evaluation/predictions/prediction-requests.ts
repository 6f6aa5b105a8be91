import { randomUUID } from 'node:crypto';
import type { PredictionsExport, PredictionsOfTask } from '../../../preload/contract/schema/predictions.ts';
import type { FormatCatalog } from '../../formats/format-catalog.ts';
import { makesLabels, readImportChoices } from '../../formats/import-choices/import-choices.ts';
import type { Actor } from '../../users/access/actor.ts';
import { invalidField } from '../../platform/errors.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import type { ExportParameters } from '../../import-export/export/dataset-export.ts';
import type { TaskRow } from '../../work/tables/task-repository.ts';
import type { PredictionsFileParameters, PredictionsOfTaskParameters } from './predictions-import.ts';

const placeOf = ({ id, project_id: projectId, organization_id: organizationId }: TaskRow) => ({
  taskId: id,
  projectId,
  organizationId,
});

interface Dependencies {
  readonly formats: FormatCatalog;
  readonly open: (
    actor: Actor,
    id: number,
    action: 'export:annotations',
  ) => { readonly setId: number; readonly task_id: number };
  readonly taskWithFrames: (actor: Actor, id: number, action: 'import:annotations' | 'export:annotations') => TaskRow;
}

export function createPredictionRequests({ formats, open, taskWithFrames }: Dependencies, requests: RequestService) {
  const startImport = (actor: Actor, task: TaskRow, type: string, parameters: object): { rq_id: string } =>
    requests.start(actor, {
      key: {
        action: 'import',
        target: 'task',
        targetId: task.id,
        uuid: randomUUID(),
        subresource: 'annotations',
        format: 'predictions',
      },
      type,
      ...placeOf(task),
      parameters: { ...parameters },
    });

  return {
    async startFile(
      actor: Actor,
      taskId: number,
      request: Omit<PredictionsFileParameters, 'taskId'>,
    ): Promise<{ rq_id: string }> {
      const importer = await formats.importer(request.format);
      const task = taskWithFrames(actor, taskId, 'import:annotations');
      if (!importer) throw invalidField('format', `There is no importer "${request.format}".`);
      if (makesLabels(readImportChoices(request.options ?? {}, undefined))) {
        throw invalidField(
          'options',
          'Predictions cannot create labels in a task. Map the labels of the file to labels of the task, or skip them.',
        );
      }
      const parameters: PredictionsFileParameters = { ...request, format: importer.display_name, taskId };
      return startImport(actor, task, 'import:predictions', parameters);
    },

    startTask(actor: Actor, taskId: number, { name, source_task_id: sourceId }: PredictionsOfTask): { rq_id: string } {
      const task = taskWithFrames(actor, taskId, 'import:annotations');
      if (sourceId === taskId) {
        throw invalidField('source_task_id', 'This is the task itself. Choose another source task.');
      }
      const source = taskWithFrames(actor, sourceId, 'export:annotations');
      const parameters: PredictionsOfTaskParameters = {
        taskId,
        sourceTaskId: source.id,
        sourceName: source.name,
        name,
      };
      return startImport(actor, task, 'copy:predictions', parameters);
    },

    async startExport(
      actor: Actor,
      id: number,
      { format, save_images: saveImages }: PredictionsExport,
    ): Promise<{ rq_id: string }> {
      const exporter = await formats.exporter(format);
      const { setId, task_id: taskId } = open(actor, id, 'export:annotations');
      const task = taskWithFrames(actor, taskId, 'export:annotations');
      if (!exporter) throw invalidField('format', `There is no exporter "${format}".`);
      const parameters: ExportParameters = {
        format: exporter.display_name,
        saveImages,
        target: { kind: 'task', id: taskId, setId },
      };
      return requests.start(actor, {
        key: {
          action: 'export',
          target: 'task',
          targetId: taskId,
          userId: actor.userId,
          subresource: saveImages ? 'dataset' : 'annotations',
          format: `${exporter.display_name} of predictions ${id}`,
        },
        type: saveImages ? 'export:dataset' : 'export:annotations',
        ...placeOf(task),
        parameters: { ...parameters },
      });
    },
  };
}
