import { z } from 'zod';
import type { AnyOperation } from '../../../preload/contract/operation.ts';
import { operations, type OperationId } from '../../../preload/contract/operations/index.ts';
import type { ApiClient } from '../api-client.ts';
import { jsonAnswer, type Tool } from './tool.ts';

interface ContractTool {
  readonly name: string;
  readonly operation: OperationId;
  /** Fields of the path, the query and the body that the tool offers. */
  readonly fields: readonly string[];
  /** Replaces the summary of the operation where it says too little to a program. */
  readonly about?: string;
  readonly writes?: true;
}

const page = ['search', 'page', 'page_size'] as const;

/** Operations that a program may call as they are. None of them changes or deletes what exists. */
const contractTools: readonly ContractTool[] = [
  { name: 'list_projects', operation: 'listProjects', fields: page },
  { name: 'list_tasks', operation: 'listTasks', fields: ['project_id', ...page] },
  { name: 'get_task', operation: 'getTask', fields: ['id'] },
  {
    name: 'list_jobs',
    operation: 'listJobs',
    fields: ['task_id', 'state', 'stage', ...page],
    about: 'Jobs with their frame ranges (start_frame to stop_frame)',
  },
  { name: 'list_labels', operation: 'listLabels', fields: ['project_id', 'task_id', 'job_id', ...page] },
  { name: 'list_issues', operation: 'listIssues', fields: ['task_id', 'job_id', 'frame_id', 'resolved', ...page] },
  {
    name: 'read_annotations',
    operation: 'getJobAnnotations',
    fields: ['id', 'frame', 'to_frame'],
    about: 'Annotations of a job (id), of the frames from frame to to_frame; coordinates are pixels from the top left',
  },
  {
    name: 'search_frames',
    operation: 'searchJobFrames',
    fields: ['id', 'filter'],
    about:
      'Frames of a job (id) with matching annotations. The filter is JSON Logic over label, type, shape, occluded, ' +
      'score and attr, for example {"==": [{"var": "label"}, "car"]}',
  },
  { name: 'task_statistics', operation: 'getTaskStatistics', fields: ['id'] },
  { name: 'project_statistics', operation: 'getProjectStatistics', fields: ['id'] },
  { name: 'list_models', operation: 'listLambdaFunctions', fields: [] },
  { name: 'list_formats', operation: 'formats', fields: [] },
  { name: 'list_prediction_sets', operation: 'listPredictionSets', fields: ['id'] },
  { name: 'list_evaluations', operation: 'listEvaluations', fields: ['task_id', 'project_id'] },
  { name: 'get_evaluation', operation: 'getEvaluation', fields: ['id'] },
  {
    name: 'evaluate',
    operation: 'createEvaluation',
    fields: ['name', 'task_id', 'predictions', 'kind', 'truth_job_id', 'frames'],
    about: 'Start an evaluation of prediction sets (their ids) against the annotations of a task',
    writes: true,
  },
];

const shapeOf = (schema: z.ZodType | undefined): z.ZodRawShape => (schema instanceof z.ZodObject ? schema.shape : {});

function partsOf(operation: AnyOperation) {
  return { params: shapeOf(operation.params), query: shapeOf(operation.query), body: shapeOf(operation.body) };
}

const pick = (shape: z.ZodRawShape, names: readonly string[]): z.ZodRawShape =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name)));

const queryFields = (shape: z.ZodRawShape, names: readonly string[]): z.ZodRawShape =>
  Object.fromEntries(
    // Ids are text in queries, but numbers in every answer that a program has read.
    Object.entries(pick(shape, names)).map(([name, schema]) => [
      name,
      name.endsWith('_id') ? z.int().nonnegative().optional() : schema,
    ]),
  );

const given = (shape: z.ZodRawShape, input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name in shape));

function toolOf({ name, operation: id, fields, about, writes = undefined }: ContractTool): Tool {
  const operation: AnyOperation = operations[id];
  const { params, query, body } = partsOf(operation);
  const missing = fields.filter((field) => !(field in params || field in query || field in body));
  if (missing.length > 0) throw new Error(`${id} has no field ${missing.join(', ')}.`);
  const input = z.strictObject({ ...queryFields(query, fields), ...pick(body, fields), ...pick(params, fields) });
  return {
    name,
    about: about ?? operation.summary,
    writes: writes ?? false,
    input,
    run: async (client: ApiClient, values: object) =>
      // The schemas of the operation have checked the values; their types depend on the operation.
      jsonAnswer(
        await client.call(id, {
          ...(Object.keys(params).length > 0 && { params: given(params, values) }),
          query: given(query, values),
          ...(operation.body && { body: given(body, values) }),
        } as never),
      ),
  };
}

export const toolsOfContract: readonly Tool[] = contractTools.map(toolOf);
