import type { TaskData } from './task-data.ts';

/** The same task with some members of its own. What the task lacks stays lacking. */
export function withOverrides(task_data: TaskData, members: Partial<TaskData>): TaskData {
  // The prototype gives what is not overridden: getters stay lazy, and optional members stay absent.
  return Object.create(task_data, Object.getOwnPropertyDescriptors(members)) as TaskData;
}
