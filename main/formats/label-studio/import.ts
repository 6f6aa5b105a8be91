import { isJsonFile, readImageFiles } from '../kit/image-files/read-image-files.ts';
import { readJsonItems } from '../kit/json-items.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { createTaskReader } from './read-task.ts';

/** Label Studio: a list of tasks, whole (JSON) or flattened (JSON-MIN). Masks are kept where polygons are not wanted. */
export const importLabelStudio: DatasetReader = async (source, task_data, options) => {
  await readImageFiles({
    source,
    task_data,
    options,
    isFile: isJsonFile,
    needs: 'export of Label Studio: a JSON list of tasks is needed',
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
