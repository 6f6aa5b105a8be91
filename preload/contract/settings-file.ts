import { z } from 'zod';
import type { Call } from './client.ts';
import { backupSettingsPatchSchema } from './schema/backups.ts';
import { workbenchSettingsPatchSchema } from './schema/settings.ts';
import { webhookSettingsPatchSchema } from './schema/webhooks.ts';

/** All settings of the workbench that a file can transfer to another computer. */
export const settingsFileSchema = z.strictObject({
  computer: workbenchSettingsPatchSchema.strict().optional(),
  backup: backupSettingsPatchSchema.omit({ passphrase: true }).strict().optional(),
  webhooks: webhookSettingsPatchSchema.strict().optional(),
});
export type SettingsFile = z.output<typeof settingsFileSchema>;

/** Defaults. Does not include the backup folder, so that existing backups stay where they are. */
export const defaultSettings = {
  computer: {
    ffmpeg_path: null,
    formats_folder: null,
    update_address: null,
    docker_host: null,
    dashboard_own_servers: false,
    bucket_cache_gb: 5,
    function_cpu_cores: null,
    function_memory_mib: null,
    function_gpu_memory_mib: null,
  },
  backup: { every: 'never', hour: null, keep: 7, incremental: false },
  webhooks: { allow_loopback: true, allow_private_networks: false },
} as const satisfies SettingsFile;

/** Thrown for an invalid settings file; names the invalid value. */
export class NoSettingsFile extends Error {}

/** @throws NoSettingsFile */
export function checkSettingsFile(value: unknown): SettingsFile {
  const { data, error } = settingsFileSchema.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new NoSettingsFile(`${place === '' ? '' : `${place}: `}${issue?.message ?? ''}`);
}

/** @throws NoSettingsFile */
export function parseSettingsFile(text: string): SettingsFile {
  try {
    return checkSettingsFile(JSON.parse(text));
  } catch (error) {
    throw error instanceof SyntaxError ? new NoSettingsFile(error.message, { cause: error }) : error;
  }
}

/** Reads the settings in the form of the file, and further answers of the service. */
export async function readSettings(call: Call<object>) {
  const { video_tools: tools, notice, ...computer } = await call('getSettings', {});
  const { settings: backup } = await call('getBackups', {});
  const webhooks = await call('getWebhookSettings', {});
  return { file: { computer, backup, webhooks }, tools, notice };
}

/** Changes all settings or none: after an error, restores those changed before. */
export async function applySettings(call: Call<object>, wanted: SettingsFile): Promise<void> {
  const { file: before } = await readSettings(call);
  const changes = {
    computer: ({ computer: body }: SettingsFile) => body && call('changeSettings', { body }),
    backup: ({ backup: body }: SettingsFile) => body && call('changeBackupSettings', { body }),
    webhooks: ({ webhooks: body }: SettingsFile) => body && call('updateWebhookSettings', { body }),
  };
  const undo: (() => Promise<unknown> | undefined)[] = [];
  try {
    for (const change of Object.values(changes)) {
      await change(wanted);
      undo.push(() => change(before));
    }
  } catch (error) {
    for (const putBack of undo.toReversed()) await putBack();
    throw error;
  }
}
