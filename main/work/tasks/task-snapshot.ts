import { placeOf, snapshotOf } from '../../db/changes.ts';
import { toldOf } from '../../db/columns.ts';
import { labelOwner } from '../tables/label-repository.ts';
import { taskColumns } from '../tables/task-table.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import { presentEarlierTask, presentTaskDetail } from './task-detail.ts';

export const taskSnapshot = ({
  tasks,
  jobs,
  labelRows,
}: Pick<WorkServiceDependencies, 'tasks' | 'jobs' | 'labelRows'>) =>
  snapshotOf(tasks.get, (row) => {
    const readLabels = () => labelRows.list(labelOwner(row.project_id, row.id));
    let earlier: ReturnType<typeof readLabels> | undefined;
    return {
      place: () => ({ ...placeOf(row), taskId: row.id }),
      columns: toldOf(taskColumns, row),
      present: (baseUrl) => presentTaskDetail(row, readLabels(), jobs.ofTask(row.id), baseUrl),
      keep: () => void (earlier = readLabels()),
      presentEarlier: (baseUrl) => presentEarlierTask(row, earlier ?? readLabels(), baseUrl),
      parts: () => [['job', jobs.ofTask(row.id).map(({ id }) => id)]],
    };
  });
