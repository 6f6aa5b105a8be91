import type { TaskData } from './task-data.ts';

/** Overrides members of a task. Optional members that the task lacks stay absent. */
export function withOverrides(task_data: TaskData, members: Partial<TaskData>): TaskData {
  // Inherits the other members: getters stay lazy, and optional members stay absent.
  return Object.create(task_data, Object.getOwnPropertyDescriptors(members)) as TaskData;
}
