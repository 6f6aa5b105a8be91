import type { TaskData } from '../../formats/kit/task-data.ts';
import { withOverrides } from '../../formats/kit/with-overrides.ts';

export interface LabelCount {
  readonly name: string;
  readonly count: number;
  readonly types: readonly string[];
}

/** Counts the objects of a file by label, including dropped ones. */
export function createLabelCounter() {
  const counts = new Map<string, { count: number; readonly types: Set<string> }>();
  const count = (label: string, type: string): void => {
    const known = counts.get(label) ?? { count: 0, types: new Set<string>() };
    counts.set(label, known);
    known.count += 1;
    known.types.add(type);
  };
  return {
    over: (task_data: TaskData): TaskData =>
      withOverrides(task_data, {
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
    has: (label: string): boolean => counts.has(label),
    result: (): LabelCount[] =>
      [...counts].map(([name, { count: number, types }]) => ({ name, count: number, types: [...types].toSorted() })),
  };
}
