import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QueryInputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import { call } from './client.ts';

/** What counts as found. */
export interface Threshold {
  readonly iou: number;
  /** Undefined: the best of the first model. */
  readonly score: number | undefined;
}

export type FramesQuery = QueryInputOf<Operations['listEvaluationFrames']>;

const stated = ({ iou, score }: Threshold) => ({ iou, ...(score === undefined ? {} : { score }) });

export const evaluationQueries = {
  predictions: (taskId: number) =>
    queryOptions({
      queryKey: ['predictions', taskId],
      queryFn: ({ signal }) => call('listPredictionSets', { params: { id: taskId }, signal }),
    }),
  ofTask: (taskId: number) =>
    queryOptions({
      queryKey: ['evaluations', 'task', taskId],
      queryFn: ({ signal }) => call('listEvaluations', { query: { task_id: taskId }, signal }),
    }),
  ofProject: (projectId: number) =>
    queryOptions({
      queryKey: ['evaluations', 'project', projectId],
      queryFn: ({ signal }) => call('listEvaluations', { query: { project_id: projectId }, signal }),
    }),
  /** Prediction sets of the tasks of a project, by their names. */
  ofModels: (projectId: number) =>
    queryOptions({
      queryKey: ['predictions', 'project', projectId],
      queryFn: ({ signal }) => call('listProjectPredictions', { params: { id: projectId }, signal }),
    }),
  report: (id: number) =>
    queryOptions({
      queryKey: ['evaluations', id, 'report'],
      queryFn: ({ signal }) => call('getEvaluation', { params: { id }, signal }),
    }),
  counts: (id: number, threshold: Threshold) =>
    queryOptions({
      queryKey: ['evaluations', id, 'counts', threshold],
      queryFn: ({ signal }) => call('getEvaluationCounts', { params: { id }, query: stated(threshold), signal }),
      placeholderData: keepPreviousData,
    }),
  frames: (id: number, query: FramesQuery) =>
    queryOptions({
      queryKey: ['evaluations', id, 'frames', query],
      queryFn: ({ signal }) => call('listEvaluationFrames', { params: { id }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  /** @param taskId which task of a project; undefined where the evaluation is of one task */
  frame: (id: number, frame: number, model: number, threshold: Threshold, taskId: number | undefined) =>
    queryOptions({
      queryKey: ['evaluations', id, 'frame', taskId, frame, model, threshold],
      queryFn: ({ signal }) =>
        call('compareEvaluationFrame', {
          params: { id, frame },
          query: { model, ...stated(threshold), ...(taskId === undefined ? {} : { task_id: taskId }) },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
};
