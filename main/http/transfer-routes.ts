import { z } from 'zod';
import { dataRequestSchema } from '../../preload/contract/schema/resources.ts';
import type { Actor } from '../users/access/actor.ts';
import type { Services } from '../composition/services.ts';
import { invalidField, notFound } from '../platform/errors.ts';
import type { PlainParameter, PlainRoute } from './route.ts';
import type { UploadResource } from './uploads/upload-resource.ts';
import { uploadRoutes } from './uploads/upload-routes.ts';
import type { UploadedFile, UploadStore } from './uploads/upload-store.ts';
import { parseInput } from './validation.ts';

type TransferCore = Pick<Services, 'taskData' | 'datasets' | 'backups' | 'projects' | 'tasks' | 'jobs' | 'functions'>;

export function transferRoutes(core: TransferCore, store: UploadStore): PlainRoute[] {
  return [
    ...uploadRoutes(taskDataResource(core), store),
    ...uploadRoutes(annotationsResource(core, 'task'), store),
    ...uploadRoutes(annotationsResource(core, 'job'), store),
    ...uploadRoutes(predictionsResource(core), store),
    ...uploadRoutes(projectDatasetResource(core), store),
    ...uploadRoutes(backupResource(core, 'project'), store),
    ...uploadRoutes(backupResource(core, 'task'), store),
  ];
}

function taskDataResource({ taskData, tasks }: TransferCore): UploadResource {
  return {
    path: '/api/tasks/{id}/data/',
    summary: 'Add images or a video to a task',
    fileField: 'client_files[0]',
    isFileField: (name) => /^client_files(\[\d+\])?$/.test(name),
    takesMany: true,
    authorize: (actor, params) => void tasks.get(actor, idOf(params)),
    requireOpen: (actor, params) => taskData.requireEmpty(actor, idOf(params)),
    target: (params) => taskData.uploadDirectory(idOf(params)),
    start(actor, params, { body, uploads }) {
      const request = parseInput(dataRequestSchema, body);
      const files = uploads.map(({ name, path }) => ({ name, file: path }));
      return taskData.start(actor, idOf(params), request, files);
    },
  };
}

const importParameters: readonly PlainParameter[] = [
  { name: 'format', in: 'query', description: 'Display name of an importer', required: true },
  { name: 'filename', in: 'query', description: 'Upload-Filename of the finished upload' },
  {
    name: 'import_mode',
    in: 'query',
    description: 'Handling of existing annotations',
    values: ['replace', 'append'],
  },
  { name: 'conv_mask_to_poly', in: 'query', description: 'Convert masks to polygons', values: ['true', 'false'] },
  {
    name: 'dry_run',
    in: 'query',
    description: 'Only read the file and report the result of an import',
    values: ['true', 'false'],
  },
  {
    name: 'options',
    in: 'query',
    description:
      'Options as a JSON object: label_mapping, create_labels, unknown_attributes, subset, frame_matching, masks, encoding, and those of the format',
  },
];

/** Options of every format, see `formats/import-choices`. Formats validate the rest. */
const importOptionsSchema = z.looseObject({
  /** Labels of the file, mapped to labels of the task; null drops their objects. */
  label_mapping: z.record(z.string(), z.string().nullable()).optional(),
  create_labels: z.union([z.boolean(), z.literal('all'), z.array(z.string()).max(10_000)]).optional(),
  unknown_attributes: z.enum(['drop', 'create']).optional(),
  subset: z.string().optional(),
  frame_matching: z.enum(['auto', 'name', 'number', 'order']).optional(),
  masks: z.enum(['keep', 'polygons']).optional(),
  /** Encoding of text files that do not declare one. */
  encoding: z.string().max(100).optional(),
});

function statedOptions(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidField('options', 'A valid JSON object is required.');
  }
  const parsed = importOptionsSchema.safeParse(value);
  if (!parsed.success) throw invalidField('options', `A JSON object is required. ${wrongOption(parsed.error)}`);
  return parsed.data;
}

function wrongOption({ issues: [issue] }: z.ZodError): string {
  if (!issue || issue.path.length === 0) return '';
  const rule =
    issue.path[0] === 'label_mapping' ? 'label_mapping must map each label to a label or null' : issue.message;
  return `${issue.path.join('.')}: ${rule}.`;
}

function annotationsResource(core: TransferCore, kind: 'task' | 'job'): UploadResource {
  const open = (actor: Actor, id: number) => (kind === 'task' ? core.tasks.get(actor, id) : core.jobs.get(actor, id));
  return {
    path: `/api/${kind}s/{id}/annotations/`,
    summary: `Import annotations into a ${kind}`,
    parameters: importParameters,
    fileField: 'annotation_file',
    authorize: (actor, params) => void open(actor, idOf(params)),
    looksOnly: isDryRun,
    start: (actor, params, { url, uploads }) =>
      core.datasets.startImport(actor, { kind, id: idOf(params) }, importRequest(url.searchParams, uploads)),
  };
}

const predictionsParameters: readonly PlainParameter[] = [
  ...importParameters.filter(({ name }) => name !== 'import_mode' && name !== 'dry_run'),
  { name: 'name', in: 'query', description: 'Name of the prediction set; default: name of the file' },
];

function predictionsResource({ functions: { predictions } }: TransferCore): UploadResource {
  return {
    path: '/api/limner/tasks/{id}/predictions/file/',
    summary: 'Create a prediction set from a file',
    parameters: predictionsParameters,
    fileField: 'annotation_file',
    authorize: (actor, params) => predictions.requireImport(actor, idOf(params)),
    start(actor, params, { url, uploads }) {
      const { mode: _mode, dryRun: _dryRun, ...request } = importRequest(url.searchParams, uploads);
      const name = (url.searchParams.get('name') ?? '').trim().slice(0, 256);
      return predictions.startFile(actor, idOf(params), { ...request, name: name === '' ? request.file.name : name });
    },
  };
}

const datasetParameters = importParameters.filter(({ name }) =>
  ['format', 'filename', 'options', 'dry_run'].includes(name),
);

function projectDatasetResource({ datasets, projects }: TransferCore): UploadResource {
  return {
    path: '/api/projects/{id}/dataset/',
    summary: 'Import a dataset with its images: each subset becomes a task',
    parameters: datasetParameters,
    fileField: 'dataset_file',
    authorize: (actor, params) => void projects.get(actor, idOf(params)),
    looksOnly: isDryRun,
    start(actor, params, { url, uploads }) {
      const { format, file } = importedFile(url.searchParams, uploads, 'dataset_file');
      const options = statedOptions(url.searchParams.get('options'));
      return datasets.startDatasetImport(actor, idOf(params), {
        format,
        file,
        ...(isDryRun(url.searchParams) ? { dryRun: true } : {}),
        ...(options === undefined || Object.keys(options).length === 0 ? {} : { options }),
      });
    },
  };
}

function importedFile(query: URLSearchParams, uploads: readonly UploadedFile[], field: string) {
  const [file] = uploads;
  if (!file || uploads.length > 1) throw invalidField(field, 'Exactly one file is needed.');
  const format = query.get('format');
  if (!format) throw invalidField('format', 'This field is required.');
  return { format, file: { path: file.path, name: file.name } };
}

const isYes = (text: string): boolean => /^(true|1)$/i.test(text);
const isDryRun = (query: URLSearchParams): boolean => isYes(query.get('dry_run') ?? '');

function importRequest(query: URLSearchParams, uploads: readonly UploadedFile[]) {
  const { format, file } = importedFile(query, uploads, 'annotation_file');
  const mode = query.get('import_mode') ?? 'replace';
  if (mode !== 'replace' && mode !== 'append') throw invalidField('import_mode', `"${mode}" is not a valid choice.`);
  const masksToPolygons = query.get('conv_mask_to_poly');
  const options = {
    ...statedOptions(query.get('options')),
    ...(masksToPolygons === null ? {} : { conv_mask_to_poly: isYes(masksToPolygons) }),
  };
  return {
    format,
    file,
    mode,
    ...(isDryRun(query) ? { dryRun: true } : {}),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  } as const;
}

const uploadName: PlainParameter = {
  name: 'filename',
  in: 'query',
  description: 'Upload-Filename of the finished upload',
};

function backupResource({ backups }: TransferCore, kind: 'project' | 'task'): UploadResource {
  const field = `${kind}_file`;
  return {
    path: `/api/${kind}s/backup/`,
    summary: `Create a ${kind} from its backup`,
    parameters: [uploadName],
    fileField: field,
    authorize: (actor) => backups.requireImport(actor, kind),
    start(actor, _params, { uploads }) {
      const [file] = uploads;
      if (!file || uploads.length > 1) throw invalidField(field, 'Exactly one file is needed.');
      return backups.startImport(actor, kind, { path: file.path, name: file.name });
    },
  };
}

function idOf(params: Readonly<Record<string, string>>): number {
  const id = params['id'] ?? '';
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}
