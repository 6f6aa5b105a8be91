import type { WebhookSettings, WebhookSettingsPatch } from '../../../preload/contract/schema/webhooks.ts';
import type { Store } from '../../db/store.ts';
import { defined } from '../../platform/defined.ts';

const key = 'webhooks';
const defaults: WebhookSettings = { allow_loopback: true, allow_private_networks: false };

export type WebhookSettingStore = ReturnType<typeof createWebhookSettings>;

/** Address settings of webhooks. Stored in the database, so that a copy of the data directory keeps them. */
export function createWebhookSettings(database: Store) {
  const one = database.query('SELECT value FROM setting WHERE key = +?').pluck();
  const put = database.query('INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)');
  const stored = one.get(key) as string | undefined;
  let known: WebhookSettings = { ...defaults, ...(JSON.parse(stored ?? '{}') as Partial<WebhookSettings>) };
  return {
    get: (): WebhookSettings => known,
    set(change: WebhookSettingsPatch): WebhookSettings {
      const { allow_loopback, allow_private_networks } = change;
      const next = { ...known, ...defined({ allow_loopback, allow_private_networks }) };
      put.run(key, JSON.stringify(next));
      known = next;
      return next;
    },
  };
}
