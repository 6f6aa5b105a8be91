import type { TaskData, TaskMeta } from '../../formats/kit/task-data.ts';
import { AppError } from '../../platform/errors.ts';

export const defaultSubset = 'default';

export const emptyMeta: TaskMeta = {
  kind: 'project',
  id: 0,
  name: '',
  mode: 'annotation',
  size: 0,
  overlap: 0,
  bug_tracker: '',
  created_date: '',
  updated_date: '',
  subset: defaultSubset,
  start_frame: 0,
  stop_frame: 0,
  frame_step: 1,
  frame_filter: '',
  segments: [],
  owner: null,
  assignee: null,
  labels: [],
  source: '',
  tasks: [],
  dumped: '',
};

type Taking = 'match_frame' | 'frame_info' | 'add_tag' | 'add_shape' | 'add_track';

/** View of tasks that do not exist yet: importers can add objects, but it contains none. */
export function createEmptyView(
  meta: Partial<TaskMeta>,
  view: Pick<TaskData, Taking> & Partial<Omit<TaskData, Taking | 'meta'>>,
): TaskData {
  const whole = { ...emptyMeta, ...meta };
  const labels = new Map(whole.labels.map((label) => [label.name, label]));
  return {
    meta: whole,
    shapes: [],
    tracks: [],
    drawn_tracks: [],
    tags: [],
    frames: [],
    frame_count: 0,
    group_by_frame: () => [],
    frame_image: async () => {
      throw new AppError('internal', 'An import does not read images.');
    },
    label: (name) => labels.get(name),
    ...view,
  };
}
