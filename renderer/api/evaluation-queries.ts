import type { QueryInputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import { operationQuery, keepsPrevious } from './query-options.ts';

export interface Threshold {
  readonly iou: number;
  /** Undefined uses the best one of the first model. */
  readonly score: number | undefined;
}

export type FramesQuery = QueryInputOf<Operations['listEvaluationFrames']>;

const stated = ({ iou, score }: Threshold) => ({ iou, ...(score === undefined ? {} : { score }) });

export const evaluationQueries = {
  predictions: (taskId: number) =>
    operationQuery(['predictions', taskId], 'listPredictionSets', { params: { id: taskId } }),
  ofTask: (taskId: number) =>
    operationQuery(['evaluations', 'task', taskId], 'listEvaluations', { query: { task_id: taskId } }),
  ofProject: (projectId: number) =>
    operationQuery(['evaluations', 'project', projectId], 'listEvaluations', { query: { project_id: projectId } }),
  ofModels: (projectId: number) =>
    operationQuery(['predictions', 'project', projectId], 'listProjectPredictions', { params: { id: projectId } }),
  report: (id: number) => operationQuery(['evaluations', id, 'report'], 'getEvaluation', { params: { id } }),
  counts: (id: number, threshold: Threshold) =>
    operationQuery(
      ['evaluations', id, 'counts', threshold],
      'getEvaluationCounts',
      { params: { id }, query: stated(threshold) },
      keepsPrevious,
    ),
  frames: (id: number, query: FramesQuery) =>
    operationQuery(
      ['evaluations', id, 'frames', query],
      'listEvaluationFrames',
      { params: { id }, query },
      keepsPrevious,
    ),
  /** @param taskId which task of a project; undefined where the evaluation is of one task */
  frame: (id: number, frame: number, model: number, threshold: Threshold, taskId: number | undefined) =>
    operationQuery(
      ['evaluations', id, 'frame', taskId, frame, model, threshold],
      'compareEvaluationFrame',
      {
        params: { id, frame },
        query: { model, ...stated(threshold), ...(taskId === undefined ? {} : { task_id: taskId }) },
      },
      keepsPrevious,
    ),
};
