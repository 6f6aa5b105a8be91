import type { z } from 'zod';
import type {
  Requirement,
  requirementBulkSchema,
  RequirementItem,
  RequirementPatch,
  requirementWriteSchema,
} from '../../../preload/contract/schema/quality-requirements.ts';
import type { SqlFragment } from '../../db/filters.ts';
import { invalidField, orNotFound } from '../../platform/errors.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import type { SettingsRow } from './quality-repository.ts';
import { createRequirementPresenter, type RequirementPresenterDependencies } from './requirement-presenter.ts';
import type { RequirementRow } from './requirement-repository.ts';
import { createRequirementWriter, type RequirementWriterDependencies } from './requirement-writer.ts';

interface Dependencies extends RequirementPresenterDependencies, RequirementWriterDependencies {
  readonly openSettings: (actor: Actor, id: number, action: 'view' | 'update') => SettingsRow;
  readonly scopeOf: (actor: Actor) => SqlFragment;
}

/** Requirements of quality reports: a base requirement per settings, and children that inherit from it. */
export function createRequirementService(dependencies: Dependencies) {
  const { quality, requirements, openSettings, scopeOf } = dependencies;
  const { item, whole } = createRequirementPresenter(dependencies);
  const { save, addTree } = createRequirementWriter(dependencies);

  function open(actor: Actor, id: number, action: 'view' | 'update'): RequirementRow {
    const row = orNotFound(requirements.requirement(id));
    openSettings(actor, row.settings_id, action);
    return row;
  }

  return {
    items: (settings: SettingsRow): RequirementItem[] =>
      requirements.ofSettings(settings.id).map((row) => item(row, settings)),
    /** Changes requirements by their names, and creates those with new names. */
    saveAll(settings: SettingsRow, sent: readonly (RequirementPatch & { readonly name: string })[]): void {
      for (const one of sent) {
        const { settings_id: _settings, ...rest } = one;
        const self = requirements.ofSettings(settings.id).find(({ name }) => name === one.name) ?? null;
        save(settings, rest, self);
      }
    },
    listRequirements(actor: Actor, request: ListRequest): Listing<RequirementItem> {
      const id = Number(request.equals['settings_id'] ?? Number.NaN);
      if (Number.isInteger(id)) openSettings(actor, id, 'view');
      requirements.prepareBases();
      const { count, results } = requirements.list(request, scopeOf(actor));
      return { count, results: results.map((row) => item(row, orNotFound(quality.settings(row.settings_id)))) };
    },
    getRequirement: (actor: Actor, id: number): Requirement => whole(open(actor, id, 'view').id),
    createRequirement(actor: Actor, body: z.output<typeof requirementWriteSchema>): Requirement {
      return whole(save(openSettings(actor, body.settings_id, 'update'), body, null));
    },
    createRequirements(actor: Actor, body: z.output<typeof requirementBulkSchema>): Requirement[] {
      const settings = openSettings(actor, body.settings_id, 'update');
      const ids = quality.inTransaction(() => body.requirements.flatMap((tree) => addTree(settings, tree, null)));
      return ids.map(whole);
    },
    updateRequirement(actor: Actor, id: number, body: RequirementPatch): Requirement {
      const row = open(actor, id, 'update');
      const settings = orNotFound(quality.settings(row.settings_id));
      return whole(quality.inTransaction(() => save(settings, body, row)));
    },
    removeRequirement(actor: Actor, id: number): void {
      const row = open(actor, id, 'update');
      if (row.is_base === 1)
        throw invalidField('id', 'The base requirement cannot be deleted. Disable it, or delete those below it.');
      requirements.remove(id);
    },
  };
}
