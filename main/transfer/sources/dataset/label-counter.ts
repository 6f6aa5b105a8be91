import { withOverrides } from '../../../formats/import-choices/with-overrides.ts';
import type { TaskData } from '../../../formats/kit/task-data.ts';

/** Counts the objects of a file by the names that it has for their labels, whatever becomes of them. */
export function createLabelCounter(task_data: TaskData) {
  const counts = new Map<string, { count: number; readonly types: Set<string> }>();
  const count = (label: string, type: string): void => {
    const known = counts.get(label) ?? { count: 0, types: new Set<string>() };
    counts.set(label, known);
    known.count += 1;
    known.types.add(type);
  };
  return {
    view: withOverrides(task_data, {
      add_tag(tag) {
        count(tag.label, 'tag');
        task_data.add_tag(tag);
      },
      add_shape(shape) {
        count(shape.label, shape.type);
        task_data.add_shape(shape);
      },
      add_track(track) {
        count(track.label, 'track');
        task_data.add_track(track);
      },
    }),
    result: () =>
      [...counts].map(([name, { count: number, types }]) => ({ name, count: number, types: [...types].toSorted() })),
  };
}
