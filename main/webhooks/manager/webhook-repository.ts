import type { WebhookType } from '../../../preload/contract/schema/webhooks.ts';
import type { ListDefinition } from '../../db/filters.ts';
import type { Database } from '../../db/open.ts';
import { userColumns } from '../../people/users/present.ts';

export interface WebhookRow {
  readonly id: number;
  readonly stage: 'live' | 'draining' | 'discarded';
  readonly type: WebhookType;
  /** With stars where a password is: see `target-address.ts`. */
  readonly target_url: string;
  /** `name:password`, sealed; empty: none. */
  readonly target_credentials: string;
  readonly description: string;
  readonly content_type: 'application/json';
  /** Sealed; empty: none. */
  readonly secret: string;
  /** The one before it, sealed, with which requests are signed, too, until a time in milliseconds since 1970. */
  readonly previous_secret: string;
  readonly previous_secret_until_ms: number;
  readonly is_active: number;
  readonly enable_ssl: number;
  /** Sorted, joined by commas. */
  readonly events: string;
  readonly owner_id: number | null;
  readonly project_id: number | null;
  readonly project_owner_id: number | null;
  /** A project webhook's is that of its project. */
  readonly organization: number | null;
  readonly deactivation_reason: string | null;
  readonly created_date: string;
  readonly updated_date: string;
  readonly last_status: number | null;
  readonly last_delivery_date: string | null;
}

/** What must be known to send; of draining webhooks too. */
export type WebhookTarget = Pick<
  WebhookRow,
  | 'id'
  | 'stage'
  | 'target_url'
  | 'target_credentials'
  | 'content_type'
  | 'secret'
  | 'previous_secret'
  | 'previous_secret_until_ms'
  | 'is_active'
  | 'enable_ssl'
>;

const organization = `CASE webhook.type WHEN 'project' THEN project.organization_id ELSE webhook.organization_id END`;
const latest = (column: string) =>
  `(SELECT ${column} FROM webhook_delivery WHERE webhook_delivery.webhook_id = webhook.id
    ORDER BY webhook_delivery.id DESC LIMIT 1)`;
const select = `webhook.*, project.owner_id AS project_owner_id, ${organization} AS organization,
  ${userColumns('owner', 'owner')},
  ${latest('status_code')} AS last_status, ${latest('updated_date')} AS last_delivery_date`;
const from = `webhook
  LEFT JOIN project ON project.id = webhook.project_id
  LEFT JOIN user owner ON owner.id = webhook.owner_id`;

export const webhookList: ListDefinition = {
  select,
  from,
  fields: {
    organization_id: { sql: organization, type: 'number', equality: true },
    id: { sql: 'webhook.id', type: 'number' },
    target_url: { sql: 'webhook.target_url', type: 'text', equality: true },
    owner: { sql: 'owner.username', type: 'text', equality: true },
    type: { sql: 'webhook.type', type: 'text', equality: true },
    project_id: { sql: 'webhook.project_id', type: 'number', equality: true },
    description: { sql: 'webhook.description', type: 'text' },
    updated_date: { sql: 'webhook.updated_date', type: 'date' },
  },
  search: ['target_url', 'owner', 'description'],
  sort: '-id',
};
/** Columns by which a list is narrowed to what an actor may see. */
export const webhookScope = {
  live: "webhook.stage = 'live'",
  organization,
  people: { owner: 'webhook.owner_id', projectOwner: 'project.owner_id' },
} as const;

const changeable = [
  'target_url',
  'target_credentials',
  'description',
  'content_type',
  'secret',
  'previous_secret',
  'previous_secret_until_ms',
  'is_active',
  'enable_ssl',
  'events',
  'deactivation_reason',
] as const;
export type WebhookChange = Partial<Pick<WebhookRow, (typeof changeable)[number]>>;
export type NewWebhook = Pick<
  WebhookRow,
  | 'type'
  | 'target_url'
  | 'target_credentials'
  | 'description'
  | 'content_type'
  | 'secret'
  | 'is_active'
  | 'enable_ssl'
  | 'events'
  | 'owner_id'
  | 'project_id'
> & {
  /** Null for a project webhook: it is where its project is. */
  readonly organization_id: number | null;
  readonly date: string;
};

/** An active webhook and the events that it waits for. */
export interface Subscription {
  readonly id: number;
  readonly type: WebhookType;
  readonly projectId: number | null;
  readonly organizationId: number | null;
  readonly events: ReadonlySet<string>;
}

export type WebhookRepository = ReturnType<typeof createWebhookRepository>;

export function createWebhookRepository(database: Database) {
  const one = database.prepare(`SELECT ${select} FROM ${from} WHERE webhook.id = +? AND ${webhookScope.live}`);
  const target = database.prepare(
    `SELECT id, stage, target_url, target_credentials, content_type, secret, previous_secret, previous_secret_until_ms,
       is_active, enable_ssl
     FROM webhook WHERE id = +? AND stage <> 'discarded'`,
  );
  const insert = database.prepare(
    `INSERT INTO webhook (type, target_url, target_credentials, description, content_type, secret, is_active, enable_ssl, events, owner_id,
       project_id, organization_id, created_date, updated_date)
     VALUES (@type, @target_url, @target_credentials, @description, @content_type, @secret, @is_active, @enable_ssl, @events, @owner_id,
       @project_id, @organization_id, @date, @date)`,
  );
  const touch = database.prepare('UPDATE webhook SET updated_date = ? WHERE id = ?');
  const failingSince = database.prepare('SELECT failing_since_ms FROM webhook WHERE id = +?').pluck();
  const fails = database.prepare('UPDATE webhook SET failing_since_ms = ? WHERE id = ?');
  const takes = database.prepare(
    'UPDATE webhook SET failing_since_ms = NULL WHERE id = ? AND failing_since_ms IS NOT NULL',
  );
  const discard = database.prepare("UPDATE webhook SET stage = 'discarded' WHERE id = ?");
  const subscriptions = database.prepare(
    `SELECT id, type, project_id, organization_id, events FROM webhook
     WHERE is_active = 1 AND ${webhookScope.live} ORDER BY id`,
  );
  const setters = new Map(
    changeable.map((column) => [column, database.prepare(`UPDATE webhook SET ${column} = ? WHERE id = ?`)]),
  );
  return {
    /** A live one. */
    get: (id: number) => one.get(id) as WebhookRow | undefined,
    target: (id: number) => target.get(id) as WebhookTarget | undefined,
    insert: (webhook: NewWebhook) => Number(insert.run(webhook).lastInsertRowid),
    update(id: number, change: WebhookChange, date: string): void {
      for (const column of changeable) if (column in change) setters.get(column)?.run(change[column], id);
      touch.run(date, id);
    },
    /** Its receiver answered. */
    takes: (id: number) => void takes.run(id),
    /** Its receiver failed; answers since when it has done nothing else, never later than now whatever the clock was. */
    fails(id: number, nowMs: number): number {
      const sinceMs = Math.min((failingSince.get(id) as number | null | undefined) ?? nowMs, nowMs);
      if (sinceMs === nowMs) fails.run(nowMs, id);
      return sinceMs;
    },
    /** Gone for everybody; its rows go in the background. */
    discard: (id: number) => void discard.run(id),
    subscriptions(): Subscription[] {
      const rows = subscriptions.all() as (Pick<WebhookRow, 'id' | 'type' | 'project_id' | 'events'> & {
        organization_id: number | null;
      })[];
      return rows.map((row) => ({
        id: row.id,
        type: row.type,
        projectId: row.project_id,
        organizationId: row.organization_id,
        events: new Set(row.events.split(',')),
      }));
    },
  };
}
