import type { ListDefinition, ListRequest, SqlFragment } from '../../db/filters.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Store } from '../../db/store.ts';

export interface ConsensusSettingsRow {
  readonly id: number;
  readonly task_id: number;
  readonly iou_threshold: number;
  readonly quorum: number;
}

const settingsList: ListDefinition = {
  select: 'settings.*',
  from: `consensus_settings settings JOIN task ON task.id = settings.task_id
    LEFT JOIN project ON project.id = task.project_id`,
  fields: {
    task_id: { sql: 'settings.task_id', type: 'number', equality: true },
    id: { sql: 'settings.id', type: 'number' },
  },
  search: [],
  sort: 'id',
};

export type ConsensusRepository = ReturnType<typeof createConsensusRepository>;

export function createConsensusRepository(database: Store) {
  const one = database.query('SELECT * FROM consensus_settings WHERE id = +?');
  const ofTask = database.query('SELECT * FROM consensus_settings WHERE task_id = +?');
  const add = database.query('INSERT OR IGNORE INTO consensus_settings (task_id) VALUES (?)');
  const addAll = database.query(
    'INSERT OR IGNORE INTO consensus_settings (task_id) SELECT id FROM task WHERE consensus_replicas > 0',
  );
  const choose = database.query(
    'UPDATE consensus_settings SET iou_threshold = ifnull(?, iou_threshold), quorum = ifnull(?, quorum) WHERE id = +?',
  );

  return {
    settings: (id: number) => one.get(id) as ConsensusSettingsRow | undefined,
    settingsOf(taskId: number): ConsensusSettingsRow {
      add.run(taskId);
      return ofTask.get(taskId) as ConsensusSettingsRow;
    },
    /** Creates the missing settings of all tasks with replicas. */
    prepareSettings: (): void => void addAll.run(),
    listSettings: (request: ListRequest, scope: SqlFragment) =>
      listRows<ConsensusSettingsRow>(database, settingsList, request, scope),
    choose: (id: number, iouThreshold: number | null, quorum: number | null): void =>
      void choose.run(iouThreshold, quorum, id),
  };
}
