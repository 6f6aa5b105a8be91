import { isJsonFile, readImageFiles } from '../kit/image-files/read-image-files.ts';
import { readJsonItems } from '../kit/json-items.ts';
import type { ImportOptions, SourceFile } from '../kit/plugin.ts';
import type { TaskData } from '../kit/task-data.ts';
import { createTaskReader } from './read-task.ts';

/** Label Studio: a list of tasks, whole (JSON) or flattened (JSON-MIN). Masks are kept where polygons are not wanted. */
export async function importLabelStudio(
  file_object: SourceFile,
  task_data: TaskData,
  options: ImportOptions,
): Promise<void> {
  await readImageFiles({
    file_object,
    task_data,
    options,
    isFile: isJsonFile,
    needs: 'export of Label Studio: a JSON list of tasks is needed',
    read: async (source, path, onProgress) => {
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
}
