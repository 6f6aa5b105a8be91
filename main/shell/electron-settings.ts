import { join } from 'node:path';
import ElectronStore from 'electron-store';
import {
  parseSettings,
  quarantineUnreadable,
  settingsSchema,
  type Settings,
  type SettingsValues,
} from '../platform/settings.ts';

/**
 * Settings in electron-store: `config.json` in the platform's folder for application settings. An unreadable file is
 * renamed before the store creates a new one; `notice` tells the user.
 */
export function createElectronSettings(folder: string): Settings & { readonly notice: string | null } {
  const notice = quarantineUnreadable(join(folder, 'config.json'));
  // A file that becomes unreadable later is cleared, because the program must start.
  const store = new ElectronStore({ cwd: folder, clearInvalidConfig: true });
  let values: SettingsValues = parseSettings(store.store);
  return {
    notice,
    get: (key) => values[key],
    all: () => ({ ...values }),
    set(key, value) {
      values = settingsSchema.parse({ ...values, [key]: value });
      store.set(values);
    },
  };
}
