import { z } from 'zod';
import { raw, text } from '../operation.ts';

const filename = text('Upload-Filename of the finished upload');
const format = text('Display name of an importer', { required: true });
const booleans = ['true', 'false'];
const masks = text('Convert masks to polygons', { values: booleans });
const dryRun = text(
  'Only read the file and report the result of an import; "inspect" reports only its labels and images, in half the time',
  { values: [...booleans, 'inspect'] },
);
const options = text(
  'Options as a JSON object: label_mapping, create_labels, unknown_attributes, add_images, subset, frame_matching, masks, encoding, and those of the format',
);

const annotationsQuery = z.object({
  format,
  filename,
  import_mode: text('Handling of existing annotations', { values: ['replace', 'append'] }),
  conv_mask_to_poly: masks,
  dry_run: dryRun,
  options,
});
export type AnnotationsQuery = z.output<typeof annotationsQuery>;

const annotations = (kind: 'task' | 'job') =>
  raw.upload(`/api/${kind}s/{id}/annotations/`, `Import annotations into a ${kind}`, {
    query: annotationsQuery,
    fileField: 'annotation_file',
  });
const backup = (kind: 'project' | 'task') =>
  raw.upload(`/api/${kind}s/backup/`, `Create a ${kind} from its backup`, {
    query: z.object({ filename }),
    fileField: `${kind}_file`,
  });

/**
 * Resources that accept files: in one request, or in steps (`Upload-Start`, then TUS uploads or `Upload-Multiple`, then
 * `Upload-Finish`).
 */
export const uploadOperations = {
  uploadTaskData: raw.upload('/api/tasks/{id}/data/', 'Add images or a video to a task', {
    fileField: 'client_files[0]',
  }),
  addTaskImages: raw.upload('/api/limner/tasks/{id}/images/', 'Add images to a task that has data', {
    fileField: 'client_files[0]',
  }),
  importTaskAnnotations: annotations('task'),
  importJobAnnotations: annotations('job'),
  importPredictions: raw.upload('/api/limner/tasks/{id}/predictions/file/', 'Create a prediction set from a file', {
    query: z.object({
      format,
      filename,
      conv_mask_to_poly: masks,
      options,
      name: text('Name of the prediction set; default: name of the file'),
    }),
    fileField: 'annotation_file',
  }),
  importProjectDataset: raw.upload(
    '/api/projects/{id}/dataset/',
    'Import a dataset with its images: each subset becomes a task',
    { query: z.object({ format, filename, dry_run: dryRun, options }), fileField: 'dataset_file' },
  ),
  importProjectBackup: backup('project'),
  importTaskBackup: backup('task'),
} as const;
