import ElectronStore from 'electron-store';
import { parseSettings, settingsSchema, type Settings, type SettingsValues } from '../platform/settings.ts';

/**
 * Settings in electron-store: `config.json` in the platform's folder for settings of applications. A file that is no
 * JSON is cleared: it holds nothing that cannot be set again, and the program must start.
 */
export function createElectronSettings(): Settings {
  const store = new ElectronStore({ clearInvalidConfig: true });
  let values: SettingsValues = parseSettings(store.store);
  return {
    get: (key) => values[key],
    all: () => ({ ...values }),
    set(key, value) {
      values = settingsSchema.parse({ ...values, [key]: value });
      store.set(values);
    },
  };
}
