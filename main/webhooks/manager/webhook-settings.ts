import type { WebhookSettings, WebhookSettingsPatch } from '../../../preload/contract/schema/webhooks.ts';
import type { SettingRepository } from '../store/setting-repository.ts';

const key = 'webhooks';
const defaults: WebhookSettings = { allow_loopback: true, allow_private_networks: false };

export type WebhookSettingStore = ReturnType<typeof createWebhookSettings>;

/** Where webhooks may send. It belongs to the data: a copy of the data directory keeps it. */
export function createWebhookSettings(settings: SettingRepository) {
  const read = (): WebhookSettings => ({ ...defaults, ...(settings.get(key) as Partial<WebhookSettings> | undefined) });
  let known = read();
  return {
    get: (): WebhookSettings => known,
    set(change: WebhookSettingsPatch): WebhookSettings {
      const next = {
        allow_loopback: change.allow_loopback ?? known.allow_loopback,
        allow_private_networks: change.allow_private_networks ?? known.allow_private_networks,
      };
      settings.set(key, next);
      known = next;
      return next;
    },
  };
}
