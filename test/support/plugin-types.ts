import type { TaskData as PromisedTaskData } from 'limner/formats';
import type { TaskData } from '../../main/formats/kit/task-data.ts';

/** Held by the compiler: what plug-ins of users are promised is what the formats of Limner are given. */
export const promised = (
  task_data: TaskData,
): Omit<PromisedTaskData, 'add_tag' | 'add_shape' | 'add_track' | (typeof makers)[number]> => task_data;

/** Of plug-ins only: the formats of Limner write objects as they are. */
const makers = ['Attribute', 'LabeledShape', 'TrackedShape', 'Track', 'Tag', 'Frame'] as const;
