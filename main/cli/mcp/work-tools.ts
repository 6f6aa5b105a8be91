import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { labeledDataSchema, shapeSchema, tagSchema } from '../../../preload/contract/schema/annotations.ts';
import type { LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';
import { createProgressBar } from '../../platform/progress-bar.ts';
import type { ApiClient } from '../api-client.ts';
import { download, waitForRequest } from '../background-request.ts';
import { createTask, existingPaths } from '../create-task.ts';
import { refused, usage } from '../exit-codes.ts';
import { startExport, checkedExporter } from '../export.ts';
import { importableSize, uploadForImport } from '../upload.ts';
import { drawFrame, objectsOnFrame } from './drawn-frame.ts';
import { jsonAnswer, tool, type Tool } from './tool.ts';

const id = z.int().nonnegative();
const frame = z.int().nonnegative();
const file = z.string().min(1).describe('Absolute path on this computer');
const labels = z
  .array(z.object({ name: z.string().min(1).max(64), type: z.string().optional(), color: z.string().optional() }))
  .max(1000);

const lookAtFrame = tool({
  name: 'look_at_frame',
  about:
    'The image of a frame with its annotations drawn: a JPEG of at most longest_side pixels, and a line that gives ' +
    'its scale. Coordinates of objects are pixels of the original image.',
  writes: false,
  input: z.strictObject({
    job_id: id,
    frame,
    longest_side: z.int().min(64).max(2048).default(1024),
    draw: z.boolean().default(true),
  }),
  async run(client, { job_id: jobId, frame: number, longest_side: longestSide, draw }) {
    const { name, width, height } = await client.call('getJobFrame', { params: { id: jobId, frame: number } });
    const answer = await client.send(`/api/jobs/${jobId}/data?type=frame&number=${number}&quality=compressed`);
    const image = Buffer.from(await answer.arrayBuffer());
    const objects = draw
      ? objectsOnFrame(
          await client.call('getJobAnnotations', { params: { id: jobId }, query: { frame: number } }),
          number,
        )
      : [];
    const { results } = await client.call('listLabels', { query: { job_id: String(jobId), page_size: 'all' } });
    const drawn = await drawFrame(image, objects, results, { width, height, longestSide });
    return [
      {
        type: 'text',
        text:
          `Frame ${number}, ${name}: ${width} × ${height} pixels, ${objects.length} objects. ` +
          `One pixel of this view (${drawn.width} × ${drawn.height}) is ${drawn.scale.toFixed(3)} pixels of the image.`,
      },
      { type: 'image', data: drawn.data.toString('base64'), mimeType: 'image/jpeg' },
    ];
  },
});

const createProjectTool = tool({
  name: 'create_project',
  about: 'Create a project with labels',
  writes: true,
  input: z.strictObject({ name: z.string().min(1), labels: labels.default([]) }),
  run: async (client, body) => jsonAnswer(await client.call('createProject', { body: body as never })),
});

const createTaskTool = tool({
  name: 'create_task',
  about:
    'Create a task from images, folders, videos or archives on this computer, which are used in place. ' +
    'A task of a project has the labels of the project.',
  writes: true,
  input: z.strictObject({
    name: z.string().min(1),
    paths: z.array(file).min(1),
    project_id: id.optional(),
    labels: z.array(z.string().min(1)).default([]),
    segment_size: z.int().nonnegative().default(0).describe('Frames per job; 0 puts all frames into one job'),
  }),
  async run(client, { name, paths, project_id: project, labels: names, segment_size: segmentSize }, { cli }) {
    if (project !== undefined && names.length > 0) throw usage('A task of a project has the labels of the project.');
    const options = { sort: 'natural', segmentSize, project, label: names } as const;
    const taskId = await createTask(client, name, existingPaths(paths.map(absolute)), options, cli);
    return jsonAnswer(await client.call('getTask', { params: { id: taskId } }));
  },
});

const addLabels = tool({
  name: 'add_labels',
  about: 'Add labels to a project, or to a task without a project',
  writes: true,
  input: z.strictObject({ project_id: id.optional(), task_id: id.optional(), labels: labels.min(1) }),
  async run(client, { project_id: project, task_id: task, labels: added }) {
    if ((project === undefined) === (task === undefined)) throw usage('Give either project_id or task_id.');
    const body = { labels: added } as never;
    if (project !== undefined) await client.call('updateProject', { params: { id: project }, body });
    if (task !== undefined) await client.call('updateTask', { params: { id: task }, body });
    const query = { project_id: project?.toString(), task_id: task?.toString(), page_size: 'all' };
    return jsonAnswer((await client.call('listLabels', { query })).results);
  },
});

const importPredictions = tool({
  name: 'import_predictions',
  about:
    'Import a dataset file as a prediction set of a task. Annotations are not changed. ' +
    'list_formats names the importers.',
  writes: true,
  input: z.strictObject({ task_id: id, file, format: z.string().min(1), name: z.string().min(1).optional() }),
  async run(client, { task_id: task, file: path, format, name = '' }, { errorOutput, stopSignal }) {
    const source = absolute(path);
    const progress = createProgressBar('Importing', errorOutput);
    const requestId = await uploadForImport(client, {
      resource: `/api/limner/tasks/${task}/predictions/file/`,
      file: source,
      sizeBytes: await importableSize(source),
      query: { format, name },
      progress,
      signal: stopSignal,
    });
    await waitForRequest(client, requestId, progress, stopSignal);
    return jsonAnswer(await client.call('getRequestReport', { params: { id: requestId } }));
  },
});

const exportDataset = tool({
  name: 'export',
  about: 'Export a task, job or project to a new dataset file. The report counts what the format cannot hold.',
  writes: true,
  input: z.strictObject({
    kind: z.enum(['task', 'job', 'project']),
    id,
    format: z.string().min(1),
    file,
    save_images: z.boolean().default(false),
  }),
  async run(client, { kind, id: target, format: name, file: path, save_images: saveImages }, { cli, stopSignal }) {
    const output = absolute(path);
    if (existsSync(output)) throw refused(`${output} exists. Choose another name. Nothing was exported.`);
    const format = await checkedExporter(client, name);
    const options = { format, saveImages, exportOptions: undefined };
    const requestId = await startExport(client, { kind, id: target }, options, false);
    const progress = createProgressBar('Exporting', cli.errorOutput);
    const { result_url: resultUrl } = await waitForRequest(client, requestId, progress, stopSignal);
    if (resultUrl === null) throw refused('The export finished without a file. The log of the service has the reason.');
    const saved = await download(client, resultUrl, output, cli);
    return jsonAnswer({ file: saved, report: await client.call('getRequestReport', { params: { id: requestId } }) });
  },
});

const objects = {
  shapes: z.array(shapeSchema.omit({ id: true, source: true })).default([]),
  tags: z.array(tagSchema.omit({ id: true, source: true })).default([]),
};

const runModel = tool({
  name: 'run_model',
  about: 'Run a model on one frame of a job. Returns what it found; suggest_objects can offer it to the annotator.',
  writes: false,
  input: z.strictObject({
    model_id: z.string().min(1),
    job_id: id,
    frame,
    threshold: z.number().min(0).max(1).optional(),
  }),
  async run(client, { model_id: model, job_id: jobId, frame: number, threshold }) {
    const { task_id: task } = await client.call('getJob', { params: { id: jobId } });
    const body = { task, job: jobId, frame: number, ...(threshold !== undefined && { threshold }) };
    return jsonAnswer(await client.call('callLambdaFunction', { params: { id: model }, body }));
  },
});

const suggestObjects = tool({
  name: 'suggest_objects',
  about:
    'Suggest shapes and tags in a task. Annotators see them as suggestions under your name, and accept or reject each. ' +
    'Points are pixels of the image; a rectangle is x1, y1, x2, y2; a polygon lists x, y pairs.',
  writes: true,
  input: z.strictObject({ task_id: id, ...objects }),
  async run(client, { task_id: task, shapes, tags }, { program }) {
    const source = { source: 'auto' as const };
    const found = {
      shapes: shapes.map((one) => ({ ...one, ...source })),
      tags: tags.map((one) => ({ ...one, ...source })),
    };
    return jsonAnswer(await suggest(client, task, program, found));
  },
});

/** Adds to the open set of the program in this task, or begins one. */
async function suggest(
  client: ApiClient,
  taskId: number,
  program: string,
  found: Pick<LabeledDataInput, 'shapes' | 'tags'>,
): Promise<object> {
  const checked = labeledDataSchema.parse(found);
  if (checked.shapes.length + checked.tags.length === 0) throw usage('Give at least one shape or tag.');
  const { results } = await client.call('listPredictionSets', { params: { id: taskId } });
  const open = results.find(({ name, offered, state }) => offered && state === 'filling' && name === program);
  const set =
    open ??
    (await client.call('createPredictionSet', {
      params: { id: taskId },
      body: { name: program, detail: 'Model Context Protocol', offered: true },
    }));
  const { added } = await client.call('addPredictions', { params: { id: set.id }, body: found });
  return { suggested: added, waiting: 'A person accepts or rejects them in the workspace.' };
}

function absolute(path: string): string {
  if (isAbsolute(path)) return resolve(path);
  throw usage(`Give an absolute path instead of ${path}: the folder of this process is not yours.`);
}

export const toolsOfWork: readonly Tool[] = [
  lookAtFrame,
  runModel,
  createProjectTool,
  createTaskTool,
  addLabels,
  importPredictions,
  exportDataset,
  suggestObjects,
];
