import type { z } from 'zod';
import type {
  qualitySettingsPatchSchema,
  qualitySettingsSchema,
  QualityChoices,
} from '../../../preload/contract/schema/quality.ts';
import type { SqlFragment } from '../../db/filters.ts';
import { parseNumber } from '../../db/json-logic.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import { invalidField, orNotFound } from '../../platform/errors.ts';
import type { QualityRepository, SettingsRow } from './quality-repository.ts';
import { requireJobFilter } from './compared-jobs.ts';
import { choicesOf } from './quality-rules.ts';
import type { RequirementRepository } from './requirement-repository.ts';
import { createRequirementService } from './requirement-service.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

type Settings = z.output<typeof qualitySettingsSchema>;
type Place = Pick<SettingsRow, 'task_id' | 'project_id'>;

/** Value of a numeric list filter. */
export function numberIn({ equals }: ListRequest, field: string): number | null {
  const text = equals[field];
  if (text === undefined || text === '') return null;
  const number = parseNumber(text);
  if (number === null) throw invalidField(field, 'Enter a number.');
  return number;
}

/**
 * Settings of quality reports, per task and per project. A project's settings apply to those of its tasks that have
 * none.
 */
export function createQualitySettings({
  quality,
  access,
  tasks,
  clock,
  labelRows,
  requirements,
  openPlace,
  scopeOf,
}: Pick<WorkServiceDependencies, 'access' | 'tasks' | 'clock' | 'labelRows'> & {
  readonly quality: QualityRepository;
  readonly requirements: RequirementRepository;
  readonly openPlace: (actor: Actor, place: Place, action: 'view' | 'update') => unknown;
  readonly scopeOf: (actor: Actor) => SqlFragment;
}) {
  function openSettings(actor: Actor, id: number, action: 'view' | 'update'): SettingsRow {
    const row = orNotFound(quality.settings(id));
    openPlace(actor, row, action);
    return row;
  }
  /** The choices in force: for a task that inherits, those of its project. */
  function inForce({ task_id: taskId, chosen }: SettingsRow): string {
    const task = taskId === null ? undefined : tasks.get(taskId);
    return task === undefined ? chosen : quality.effective(task, clock()).chosen;
  }
  /** Creates the missing settings of the objects that a list names. 403 and 404 as for these objects. */
  function prepare(actor: Actor, request: ListRequest): void {
    const [taskId, projectId] = [numberIn(request, 'task_id'), numberIn(request, 'project_id')];
    if (projectId !== null) access.project(actor, projectId, 'view');
    if (taskId === null) quality.prepareSettings(projectId, clock());
    else quality.settingsOf(access.task(actor, taskId, 'view').id, clock());
  }
  const service = createRequirementService({
    quality,
    requirements,
    clock,
    tasks,
    labelRows,
    openSettings,
    inForce,
    scopeOf,
    choose(row, chosen) {
      // The date of the settings is also that of the base requirement, which other requirements do not change.
      if (Object.keys(chosen).length === 0 && row.inherit === 0) return;
      const before = choicesOf(row.inherit === 1 ? inForce(row) : row.chosen);
      quality.choose(row.id, 0, { ...before, ...chosen }, clock());
    },
  });
  const { items, saveAll, listRequirements, ...requirementMethods } = service;
  const present = (row: SettingsRow): Settings => ({ ...presentSettings(row, inForce(row)), requirements: items(row) });

  return {
    ...requirementMethods,
    listRequirements(actor: Actor, request: ListRequest) {
      prepare(actor, request);
      return listRequirements(actor, request);
    },
    listSettings(actor: Actor, request: ListRequest): Listing<Settings> {
      prepare(actor, request);
      const { count, results } = quality.listSettings(request, scopeOf(actor));
      return { count, results: results.map(present) };
    },
    getSettings: (actor: Actor, id: number): Settings => present(openSettings(actor, id, 'view')),
    updateSettings(actor: Actor, id: number, body: z.output<typeof qualitySettingsPatchSchema>): Settings {
      const row = openSettings(actor, id, 'update');
      const { inherit, requirements: sent, ...chosen } = body;
      requireJobFilter(chosen.job_filter);
      const isChosen = Object.keys(chosen).length > 0;
      // A changed value alone ends the inheritance. Clients that send all settings back also send `inherit`.
      const inherits = inherit ?? (row.inherit === 1 && !isChosen && !sent);
      quality.inTransaction(() => {
        if (sent) saveAll(row, sent);
        const now = openSettings(actor, id, 'update');
        // The first choice of a task starts from the settings in force until then.
        const before = choicesOf(now.chosen === '{}' ? inForce(now) : now.chosen);
        // The schema omits keys that were not sent.
        const next = isChosen || !inherits ? { ...before, ...(chosen as Partial<QualityChoices>) } : null;
        quality.choose(id, inherits ? 1 : 0, next, clock());
      });
      return present(openSettings(actor, id, 'view'));
    },
  };
}

const presentSettings = (
  { id, task_id, project_id, inherit, created_date, updated_date }: SettingsRow,
  chosen: string,
): Omit<Settings, 'requirements'> => ({
  id,
  task_id,
  project_id,
  inherit: inherit === 1,
  ...choicesOf(chosen),
  created_date,
  updated_date,
});
