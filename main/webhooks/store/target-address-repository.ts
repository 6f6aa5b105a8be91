import type { Store } from '../../db/store.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { pythonJson } from './python-json.ts';
import { hideCredentials, type TargetAddress } from './target-address.ts';

interface OpenWebhook {
  readonly id: number;
  readonly target_url: string;
}

/**
 * Removes user names and passwords from URLs of webhooks and delivery logs of earlier versions. Runs once at the start;
 * later rows store them separately.
 */
export function sealAddresses(database: Store, secrets: SecretBox): void {
  const open = database
    .query('SELECT id, target_url FROM webhook WHERE target_credentials IS NULL')
    .all() as OpenWebhook[];
  if (open.length === 0) return;
  const logged = database
    .query("SELECT DISTINCT target_url FROM webhook_delivery WHERE target_url LIKE '%@%'")
    .pluck()
    .all() as string[];
  // Overwritten values must not remain in free pages or in the WAL.
  database.pragma('secure_delete = ON');
  database.write(() => {
    sealWebhooks(database, secrets, open);
    const addresses = new Set([...open.map(({ target_url: url }) => url), ...logged]);
    for (const address of addresses) hideInLog(database, address, hideCredentials(address));
  });
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.pragma('secure_delete = OFF');
}

function sealWebhooks(database: Store, secrets: SecretBox, open: readonly OpenWebhook[]): void {
  const seal = database.query('UPDATE webhook SET target_url = ?, target_credentials = ? WHERE id = +?');
  for (const { id, target_url: url } of open) {
    const { shown, credentials } = hideCredentials(url);
    seal.run(shown, credentials === '' ? '' : secrets.seal(credentials), id);
  }
}

/** Payloads of pings contain the webhook. */
function hideInLog(database: Store, address: string, { shown, credentials }: TargetAddress): void {
  if (credentials === '') return;
  database.query('UPDATE webhook_delivery SET target_url = ? WHERE target_url = +?').run(shown, address);
  database
    .query(
      `UPDATE webhook_payload SET body = replace(body, ?, ?)
       WHERE id IN (SELECT id FROM webhook_message WHERE event = 'ping')`,
    )
    .run(pythonJson(address), pythonJson(shown));
}
