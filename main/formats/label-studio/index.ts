import { carries, type DatasetReader, defineFormat, everyKindBut } from '../kit/define-format.ts';
import { readImageFiles } from '../kit/image-files/read-image-files.ts';
import { readJsonItems } from '../kit/json-document.ts';
import { byJsonHead } from '../kit/detection.ts';
import { exportLabelStudio } from './export.ts';
import { createTaskReader } from './read-task.ts';

/**
 * Reads Label Studio: a list of tasks as JSON or flattened (JSON-MIN). Masks are kept unless polygons are requested.
 */
const importLabelStudio: DatasetReader = async (source, task_data, options) => {
  await readImageFiles(source, task_data, options, {
    needs: 'export of Label Studio, which is a JSON list of tasks',
    read: async (path, onProgress) => {
      const tasks = createTaskReader(task_data, options, path);
      const isList = await readJsonItems(source, path, {
        key: undefined,
        item: (value, at) => tasks.read(value, at),
        between: () => task_data.backpressure?.(),
        options,
        onProgress,
      });
      tasks.finish();
      return isList;
    },
  });
};

const detectLabelStudio = byJsonHead(({ path, text, isList, has }) => {
  if (!isList) return null;
  if (has('data') && (has('annotations') || has('predictions') || has('completions')))
    return { reason: `${path} is a JSON list of tasks with data and annotations.`, confidence: 0.95 };
  const hasRegions = /"(rectangle|polygon|ellipse|keypoint|brush)labels"\s*:/.test(text);
  return hasRegions && (has('annotator') || has('annotation_id') || has('id'))
    ? { reason: `${path} is a flattened JSON list of tasks with their regions.`, confidence: 0.9 }
    : null;
});

/** Label Studio's list of tasks. Data without a field is stored in a region's `meta`, which Label Studio preserves. */
export const labelStudio = defineFormat({
  name: 'Label Studio JSON',
  version: '1.0',
  statesShares: true,
  support: carries({ both: everyKindBut('cuboid', 'skeleton') }),
  detect: detectLabelStudio,
  importExt: 'JSON, ZIP',
  importOptions: [
    {
      name: 'predictions',
      title: 'Import predictions',
      description: 'Off: only annotations by users.',
      kind: 'boolean',
      default: false,
    },
  ],
  read: importLabelStudio,
  write: exportLabelStudio,
});
