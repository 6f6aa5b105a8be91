import { z } from 'zod';
import { uploadOperations as operations, type AnnotationsQuery } from '../../../preload/contract/operations/uploads.ts';
import { addImagesSchema, dataRequestSchema } from '../../../preload/contract/schema/resources.ts';
import type { Services } from '../../composition/services.ts';
import { invalidField } from '../../platform/errors.ts';
import type { RawHandlersOf } from '../handler.ts';
import { uploadHandler } from '../uploads/upload-handler.ts';
import type { UploadedFile, UploadStore } from '../uploads/upload-store.ts';
import { parseInput } from '../validation.ts';
import { defined } from '../../platform/defined.ts';

type UploadServices = Pick<
  Services,
  'taskData' | 'addedImages' | 'datasets' | 'backups' | 'projects' | 'tasks' | 'jobs' | 'functions'
>;
type ImportQuery = Partial<AnnotationsQuery>;

export function createUploadHandlers(
  { taskData, addedImages, datasets, backups, projects, tasks, jobs, functions: { predictions } }: UploadServices,
  store: UploadStore,
): RawHandlersOf<typeof operations> {
  const annotations = (kind: 'task' | 'job') =>
    uploadHandler(
      kind === 'task' ? operations.importTaskAnnotations : operations.importJobAnnotations,
      {
        authorize: (actor, { id }) => void (kind === 'task' ? tasks.get(actor, id) : jobs.get(actor, id)),
        looksOnly: isDryRun,
        defaultSource: (actor, { id }) =>
          (kind === 'task' ? tasks.get(actor, id) : jobs.get(actor, id)).source_storage?.cloud_storage_id ?? null,
        start: (actor, { id }, { query, uploads }) =>
          datasets.startImport(actor, { kind, id }, importRequest(query, uploads)),
      },
      store,
    );
  const backup = (kind: 'project' | 'task') =>
    uploadHandler(
      kind === 'project' ? operations.importProjectBackup : operations.importTaskBackup,
      {
        authorize: (actor) => backups.requireImport(actor, kind),
        start: (actor, _params, { uploads }) => backups.startImport(actor, kind, onlyFile(uploads, `${kind}_file`)),
      },
      store,
    );
  return {
    uploadTaskData: uploadHandler(
      operations.uploadTaskData,
      {
        isFileField: (name) => /^client_files(\[\d+\])?$/.test(name),
        takesMany: true,
        authorize: (actor, { id }) => void tasks.get(actor, id),
        requireOpen: (actor, { id }) => taskData.requireEmpty(actor, id),
        target: ({ id }) => taskData.uploadDirectory(id),
        start(actor, { id }, { body, uploads }) {
          const request = parseInput(dataRequestSchema, body);
          const files = uploads.map(({ name, path }) => ({ name, file: path }));
          return taskData.start(actor, id, request, files);
        },
      },
      store,
    ),
    addTaskImages: uploadHandler(
      operations.addTaskImages,
      {
        isFileField: (name) => /^client_files(\[\d+\])?$/.test(name),
        takesMany: true,
        authorize: (actor, { id }) => void tasks.get(actor, id),
        requireOpen: (actor, { id }) => addedImages.requireOpen(actor, id),
        target: ({ id }) => addedImages.uploadDirectory(id),
        start(actor, { id }, { body, uploads }) {
          const request = parseInput(addImagesSchema, body);
          const files = uploads.map(({ name, path }) => ({ name, file: path }));
          return addedImages.start(actor, id, request, files);
        },
      },
      store,
    ),
    importTaskAnnotations: annotations('task'),
    importJobAnnotations: annotations('job'),
    importPredictions: uploadHandler(
      operations.importPredictions,
      {
        authorize: (actor, { id }) => predictions.requireImport(actor, id),
        start(actor, { id }, { query, uploads }) {
          const {
            mode: _mode,
            dryRun: _dryRun,
            onlyInspects: _onlyInspects,
            ...request
          } = importRequest(query, uploads);
          const name = (query.name ?? '').trim().slice(0, 256);
          return predictions.startFile(actor, id, { ...request, name: name === '' ? request.file.name : name });
        },
      },
      store,
    ),
    importProjectDataset: uploadHandler(
      operations.importProjectDataset,
      {
        authorize: (actor, { id }) => void projects.get(actor, id),
        looksOnly: isDryRun,
        defaultSource: (actor, { id }) => projects.get(actor, id).source_storage?.cloud_storage_id ?? null,
        start(actor, { id }, { query, uploads }) {
          const { format, file } = importedFile(query, uploads, 'dataset_file');
          const options = statedOptions(query.options);
          return datasets.startDatasetImport(actor, id, {
            format,
            file,
            dryRun: isDryRun(query) || undefined,
            options: Object.keys(options).length === 0 ? undefined : options,
          });
        },
      },
      store,
    ),
    importProjectBackup: backup('project'),
    importTaskBackup: backup('task'),
  };
}

/** Options of every format, see `formats/import-choices`. Formats validate the rest. */
const importOptionsSchema = z.looseObject({
  /** Labels of the file, mapped to labels of the task; null drops their objects. */
  label_mapping: z.record(z.string(), z.string().nullable()).optional(),
  create_labels: z.union([z.boolean(), z.literal('all'), z.array(z.string()).max(10_000)]).optional(),
  unknown_attributes: z.enum(['drop', 'create']).optional(),
  /** Adds images that the file has and the task lacks, before the annotations are read. */
  add_images: z.boolean().optional(),
  subset: z.string().optional(),
  frame_matching: z.enum(['auto', 'name', 'number', 'order']).optional(),
  masks: z.enum(['keep', 'polygons']).optional(),
  /** Encoding of text files that do not declare one. */
  encoding: z.string().max(100).optional(),
});

function statedOptions(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
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

function onlyFile(uploads: readonly UploadedFile[], field: string): Pick<UploadedFile, 'path' | 'name' | 'object'> {
  const [file] = uploads;
  if (!file || uploads.length > 1) throw invalidField(field, 'Exactly one file is needed.');
  return { path: file.path, name: file.name, ...defined({ object: file.object }) };
}

function importedFile({ format }: ImportQuery, uploads: readonly UploadedFile[], field: string) {
  const file = onlyFile(uploads, field);
  if (!format) throw invalidField('format', 'This field is required.');
  return { format, file };
}

/** @throws AppError for other text: a misspelled `dry_run` must not import. */
function isYes(field: string, text: string): boolean {
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0|)$/i.test(text)) return false;
  throw invalidField(field, `"${text}" is not a valid choice. Send true or false.`);
}
const onlyInspects = ({ dry_run: text }: ImportQuery): boolean => text === 'inspect';
const isDryRun = (query: ImportQuery): boolean => onlyInspects(query) || isYes('dry_run', query.dry_run ?? '');

function importRequest(query: ImportQuery, uploads: readonly UploadedFile[]) {
  const { format, file } = importedFile(query, uploads, 'annotation_file');
  const { import_mode: mode = 'replace', conv_mask_to_poly: masksToPolygons } = query;
  if (mode !== 'replace' && mode !== 'append') throw invalidField('import_mode', `"${mode}" is not a valid choice.`);
  const options = {
    ...statedOptions(query.options),
    ...defined({ conv_mask_to_poly: masksToPolygons && isYes('conv_mask_to_poly', masksToPolygons) }),
  };
  return {
    format,
    file,
    mode,
    dryRun: isDryRun(query) || undefined,
    onlyInspects: onlyInspects(query) || undefined,
    options: Object.keys(options).length === 0 ? undefined : options,
  } as const;
}
