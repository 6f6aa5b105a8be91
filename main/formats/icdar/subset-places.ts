import type { Source } from '../io/source.ts';
import type { TaskData } from '../kit/task-data.ts';

export interface SubsetPlace {
  readonly subset: string;
  /** Path below the subset's folder. */
  readonly rest: string;
}

/**
 * Tells which folder above a file is its subset: the one that has a folder `images`, else the one that is called as a
 * subset of the task, else the first. Extra folders around everything do no harm.
 */
export function createSubsetPlaces(source: Source, task_data: TaskData): (path: string) => SubsetPlace {
  const withImages = new Set<string>();
  for (const { path } of source.entries) {
    const at = path.startsWith('images/') ? 0 : path.indexOf('/images/');
    if (at > 0) withImages.add(path.slice(0, at));
  }
  const subsets = new Set(Array.from(task_data.frames, ({ subset }) => subset));
  return (path) => {
    const folders = path.split('/').slice(0, -1);
    const place = (index: number): SubsetPlace => ({
      subset: folders[index] ?? 'default',
      rest: path
        .split('/')
        .slice(index + 1)
        .join('/'),
    });
    if (folders.length === 0) return { subset: 'default', rest: path };
    const byImages = folders.findIndex((_, index) => withImages.has(folders.slice(0, index + 1).join('/')));
    if (byImages >= 0) return place(byImages);
    return place(
      Math.max(
        0,
        folders.findIndex((folder) => subsets.has(folder)),
      ),
    );
  };
}
