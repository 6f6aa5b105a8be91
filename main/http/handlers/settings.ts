import type { settingsOperations } from '../../../preload/contract/operations/settings.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export const createSettingsHandlers = ({
  settings,
}: Pick<Core, 'settings'>): HandlersOf<typeof settingsOperations> => ({
  getSettings: ({ actor }) => settings.get(actor),
  changeSettings: ({ actor, body }) => settings.change(actor, body),
});
