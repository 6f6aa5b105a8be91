import { join } from 'node:path';
import ElectronStore from 'electron-store';
import {
  parseSettings,
  setAsideUnreadable,
  settingsSchema,
  type Settings,
  type SettingsValues,
} from '../platform/settings.ts';

/**
 * Settings in electron-store: `config.json` in the platform's folder for settings of applications. A file that cannot
 * be read is kept beside before the store makes a new one: `notice` is what to tell the person then.
 */
export function createElectronSettings(folder: string): Settings & { readonly notice: string | null } {
  const notice = setAsideUnreadable(join(folder, 'config.json'));
  // What becomes unreadable from here on is cleared: the program must start.
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
