import { operation } from '../operation.ts';
import * as settings from '../schema/settings.ts';

/** Limner's own: settings of this computer. For administrators. */
export const settingsOperations = {
  getSettings: operation.get('/api/limner/settings', 'Settings of this computer', {
    output: settings.workbenchSettingsSchema,
  }),
  changeSettings: operation.patch('/api/limner/settings', 'Change settings of this computer; null resets one', {
    body: settings.workbenchSettingsPatchSchema,
    output: settings.workbenchSettingsSchema,
  }),
} as const;
