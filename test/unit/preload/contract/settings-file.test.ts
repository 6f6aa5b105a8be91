import { expect, test } from 'vitest';
import type { Call } from '../../../../preload/contract/client.ts';
import {
  applySettings,
  defaultSettings,
  NoSettingsFile,
  parseSettingsFile,
} from '../../../../preload/contract/settings-file.ts';

/** A service that stores settings, and refuses those in `refuses`. */
function service(refuses: string) {
  const kept: Record<string, object> = {
    Settings: { ...defaultSettings.computer, video_tools: null, notice: null },
    BackupSettings: { ...defaultSettings.backup, folder: '/backups' },
    WebhookSettings: { ...defaultSettings.webhooks },
  };
  const call = async (id: string, { body }: { body?: object }) => {
    if (id === 'getBackups') return { settings: kept['BackupSettings'] };
    const name = id.replace(/^(get|change|update)/, '');
    if (body !== undefined && name === refuses) throw new Error('There is no such folder.');
    kept[name] = { ...kept[name], ...body };
    return kept[name];
  };
  // It answers only the operations that settings use.
  return { kept, call: call as unknown as Call<object> };
}

const wanted = {
  computer: { function_cpu_cores: 2 },
  backup: { folder: '/nowhere', keep: 3 },
  webhooks: { allow_private_networks: true },
};

test('applies all settings of a file, and keeps all others', async () => {
  const { kept, call } = service('nothing');
  await applySettings(call, wanted);
  expect(kept).toMatchObject({
    Settings: { function_cpu_cores: 2, ffmpeg_path: null },
    BackupSettings: { folder: '/nowhere', keep: 3, every: 'never' },
    WebhookSettings: { allow_private_networks: true, allow_loopback: true },
  });
});

test.each(['Settings', 'BackupSettings', 'WebhookSettings'])(
  'changes none if one of %s is refused',
  async (refuses) => {
    const { kept, call } = service(refuses);
    const before = structuredClone(kept);
    await expect(applySettings(call, wanted)).rejects.toThrow('There is no such folder.');
    expect(kept).toEqual(before);
  },
);

test('refuses an invalid file with the position', () => {
  expect(() => parseSettingsFile('{"computer": {"ffmpeg')).toThrow(NoSettingsFile);
  expect(() => parseSettingsFile('{"keys": []}')).toThrow(NoSettingsFile);
  expect(() => parseSettingsFile('{"backup": {"hour": 24}}')).toThrow('backup.hour');
  expect(() => parseSettingsFile('{"computer": {"function_memory_mib": 1}}')).toThrow('computer.function_memory_mib');
});
