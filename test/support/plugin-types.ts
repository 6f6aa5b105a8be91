import type { TaskData as PromisedTaskData } from 'limner/formats';
import type { TaskData } from '../../main/formats/kit/task-data.ts';

/** Checked by the compiler: plug-ins of users get the same API as Limner's formats. */
export const promised = (
  task_data: TaskData,
): Omit<PromisedTaskData, 'add_tag' | 'add_shape' | 'add_track' | (typeof makers)[number]> => task_data;

const makers = ['Attribute', 'LabeledShape', 'TrackedShape', 'Track', 'Tag', 'Frame'] as const;
