import {
  columnFields,
  equalFields,
  type ListDefinition,
  type ListRequest,
  type SqlFragment,
} from '../../db/filters.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Store } from '../../db/store.ts';

export interface RequirementRow {
  readonly id: number;
  readonly settings_id: number;
  readonly parent_id: number | null;
  readonly is_base: 0 | 1;
  readonly name: string;
  readonly sort_order: number;
  readonly filter: string;
  readonly enabled: 0 | 1;
  readonly annotation_type: string | null;
  readonly chosen: string;
  readonly created_date: string;
  readonly updated_date: string;
}

export type RequirementValues = Omit<RequirementRow, 'id' | 'created_date' | 'updated_date'>;

const from = `quality_requirement requirement JOIN quality_settings settings ON settings.id = requirement.settings_id
  LEFT JOIN task ON task.id = settings.task_id
  LEFT JOIN project ON project.id = COALESCE(settings.project_id, task.project_id)`;

const requirementList: ListDefinition = {
  select: 'requirement.*',
  from,
  fields: {
    ...columnFields('requirement', { text: ['name'], number: ['id', 'sort_order'] }),
    ...equalFields('requirement', { number: ['settings_id'], text: ['annotation_type'], boolean: ['enabled'] }),
    ...equalFields('settings', { number: ['task_id', 'project_id'] }),
  },
  search: [],
  sort: 'sort_order,id',
};

const baseName = 'Base requirement';

export type RequirementRepository = ReturnType<typeof createRequirementRepository>;

export function createRequirementRepository(database: Store) {
  const addBases = database.query(
    `INSERT INTO quality_requirement (settings_id, is_base, name, created_date, updated_date)
     SELECT settings.id, 1, @name, settings.created_date, settings.updated_date FROM quality_settings settings
     WHERE (@id IS NULL OR settings.id = +@id) AND NOT EXISTS (
       SELECT 1 FROM quality_requirement base WHERE base.settings_id = settings.id AND base.is_base = 1)`,
  );
  const one = database.query('SELECT * FROM quality_requirement WHERE id = +?');
  const ofSettings = database.query('SELECT * FROM quality_requirement WHERE settings_id = +? ORDER BY sort_order, id');
  const insert = database.query(
    `INSERT INTO quality_requirement (settings_id, parent_id, is_base, name, sort_order, filter, enabled, annotation_type,
       chosen, created_date, updated_date)
     VALUES (@settings_id, @parent_id, @is_base, @name, @sort_order, @filter, @enabled, @annotation_type, @chosen, @now, @now)`,
  );
  const update = database.query(
    `UPDATE quality_requirement SET parent_id = @parent_id, name = @name, sort_order = @sort_order, filter = @filter,
       enabled = @enabled, annotation_type = @annotation_type, chosen = @chosen, updated_date = @now WHERE id = +@id`,
  );
  const remove = database.query('DELETE FROM quality_requirement WHERE id = +?');

  return {
    requirement: (id: number) => one.get(id) as RequirementRow | undefined,
    /** Requirements of some settings; creates the base requirement if it is missing. */
    ofSettings(id: number): RequirementRow[] {
      addBases.run({ id, name: baseName });
      return ofSettings.all(id) as RequirementRow[];
    },
    /** Creates the missing base requirements of all settings. */
    prepareBases: (): void => void addBases.run({ id: null, name: baseName }),
    list: (request: ListRequest, scope: SqlFragment) =>
      listRows<RequirementRow>(database, requirementList, request, scope),
    insert: (values: RequirementValues, now: string): number => Number(insert.run({ ...values, now }).lastInsertRowid),
    update: ({ settings_id: _settings, is_base: _base, ...values }: RequirementValues, id: number, now: string): void =>
      void update.run({ ...values, id, now }),
    remove: (id: number): void => void remove.run(id),
  };
}
