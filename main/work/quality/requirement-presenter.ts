import type { Requirement, RequirementItem } from '../../../preload/contract/schema/quality-requirements.ts';
import { orNotFound } from '../../platform/errors.ts';
import type { QualityRepository, SettingsRow } from './quality-repository.ts';
import { choicesOf } from './quality-rules.ts';
import type { RequirementRepository, RequirementRow } from './requirement-repository.ts';
import {
  baseComparison,
  effectiveParameters,
  effectiveRequirements,
  ownSettings,
  settingNames,
  settingsOfChoices,
  storedComparison,
} from './requirement-rules.ts';

export interface RequirementPresenterDependencies {
  readonly quality: QualityRepository;
  readonly requirements: RequirementRepository;
  /** The choices of settings, or of the project whose settings a task inherits. */
  readonly inForce: (row: SettingsRow) => string;
}

/** Requirements as the API answers them. */
export function createRequirementPresenter({ quality, requirements, inForce }: RequirementPresenterDependencies) {
  function item(row: RequirementRow, settings: SettingsRow): RequirementItem {
    const choices = choicesOf(inForce(settings));
    const isBase = row.is_base === 1;
    const own = isBase ? settingsOfChoices(choices) : ownSettings(row);
    const isNewer = isBase && settings.updated_date > row.updated_date;
    return {
      id: row.id,
      settings_id: row.settings_id,
      task_id: settings.task_id,
      project_id: settings.project_id,
      is_base: isBase,
      name: row.name,
      sort_order: row.sort_order,
      filter: row.filter,
      enabled: row.enabled === 1,
      parent_requirement: row.parent_id,
      annotation_type: row.annotation_type as RequirementItem['annotation_type'],
      // The names of the settings are those of the schema.
      ...(Object.fromEntries(settingNames.map((name) => [name, own[name] ?? null])) as ReturnType<
        typeof settingsOfChoices
      >),
      attribute_comparison: isBase ? baseComparison(row, choices) : storedComparison(row),
      created_date: row.created_date,
      updated_date: isNewer ? settings.updated_date : row.updated_date,
    };
  }
  function whole(id: number): Requirement {
    const row = orNotFound(requirements.requirement(id));
    const settings = orNotFound(quality.settings(row.settings_id));
    const all = effectiveRequirements(requirements.ofSettings(settings.id), choicesOf(inForce(settings)));
    const effective = all.find((one) => one.id === id);
    return { ...item(row, settings), effective: effective === undefined ? {} : effectiveParameters(effective) };
  }

  return { item, whole };
}
