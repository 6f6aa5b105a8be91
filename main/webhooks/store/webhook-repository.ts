import type { WebhookType } from '../../../preload/contract/schema/webhooks.ts';
import {
  columnOf,
  createInsert,
  createUpdate,
  number,
  optionalNumber,
  optionalText,
  text,
  type PartOf,
  type RowOf,
} from '../../db/columns.ts';
import { equalFields, type ListDefinition } from '../../db/filters.ts';
import type { Store } from '../../db/store.ts';
import { userColumns } from '../../users/accounts/present.ts';

const flag = columnOf<number>(0);

export const webhookColumns = {
  id: number(),
  stage: columnOf<'live' | 'draining' | 'discarded'>()(),
  type: columnOf<WebhookType>()('new'),
  /** Passwords are replaced by asterisks; see `target-address.ts`. */
  target_url: text('new', 'change'),
  /** `name:password`, encrypted; empty for none. */
  target_credentials: text('new', 'change'),
  description: text('new', 'change', 'plain'),
  content_type: columnOf<'application/json'>()('new', 'change', 'plain'),
  /** Encrypted; empty for none. */
  secret: text('new', 'change'),
  /** Previous secret, encrypted. Requests are also signed with it until `previous_secret_until_ms`. */
  previous_secret: text('change'),
  previous_secret_until_ms: number('change'),
  is_active: flag('new', 'change'),
  enable_ssl: flag('new', 'change'),
  /** Sorted, comma-separated. */
  events: text('new', 'change'),
  owner_id: optionalNumber('new'),
  project_id: optionalNumber('new'),
  /** Null for a project webhook, whose organization is that of its project. */
  organization_id: optionalNumber('new'),
  deactivation_reason: optionalText('change'),
  created_date: text(),
  updated_date: text(),
};

export type WebhookChange = Partial<PartOf<typeof webhookColumns, 'change'>>;
export type NewWebhook = PartOf<typeof webhookColumns, 'new'>;

/** Includes joined columns. */
export interface WebhookRow extends RowOf<typeof webhookColumns> {
  readonly project_owner_id: number | null;
  /** For a project webhook, the organization of its project. */
  readonly organization: number | null;
  readonly last_status: number | null;
  readonly last_delivery_date: string | null;
}

/** Columns needed to send; also for draining webhooks. */
export type WebhookTarget = Pick<WebhookRow, (typeof targetColumns)[number]>;
const targetColumns = [
  'id',
  'stage',
  'target_url',
  'target_credentials',
  'content_type',
  'secret',
  'previous_secret',
  'previous_secret_until_ms',
  'is_active',
  'enable_ssl',
] as const;

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
    ...equalFields('webhook', { text: ['target_url', 'type'], number: ['project_id'] }),
    owner: { sql: 'owner.username', type: 'text', equality: true },
    description: { sql: 'webhook.description', type: 'text' },
    updated_date: { sql: 'webhook.updated_date', type: 'date' },
  },
  search: ['target_url', 'owner', 'description'],
  sort: '-id',
};
/** Columns that restrict a list to the actor's webhooks. */
export const webhookScope = {
  live: "webhook.stage = 'live'",
  organization,
  people: { owner: 'webhook.owner_id', projectOwner: 'project.owner_id' },
} as const;

export interface Subscription {
  readonly id: number;
  readonly type: WebhookType;
  readonly projectId: number | null;
  readonly organizationId: number | null;
  readonly events: ReadonlySet<string>;
}

export type WebhookRepository = ReturnType<typeof createWebhookRepository>;

export function createWebhookRepository(database: Store) {
  const one = database.query(`SELECT ${select} FROM ${from} WHERE webhook.id = +? AND ${webhookScope.live}`);
  const target = database.query(
    `SELECT ${targetColumns.join(', ')} FROM webhook WHERE id = +? AND stage <> 'discarded'`,
  );
  const failingSince = database.query('SELECT failing_since_ms FROM webhook WHERE id = +?').pluck();
  const fails = database.query('UPDATE webhook SET failing_since_ms = ? WHERE id = +?');
  const takes = database.query(
    'UPDATE webhook SET failing_since_ms = NULL WHERE id = +? AND failing_since_ms IS NOT NULL',
  );
  const discard = database.query("UPDATE webhook SET stage = 'discarded' WHERE id = +?");
  const subscriptions = database.query(
    `SELECT id, type, project_id, organization_id, events FROM webhook
     WHERE is_active = 1 AND ${webhookScope.live} ORDER BY id`,
  );
  return {
    /** Excludes deleted webhooks. */
    get: (id: number) => one.get(id) as WebhookRow | undefined,
    target: (id: number) => target.get(id) as WebhookTarget | undefined,
    insert: createInsert(database, 'webhook', webhookColumns),
    ...createUpdate(database, 'webhook', webhookColumns),
    /** Marks the receiver as working. */
    takes: (id: number) => void takes.run(id),
    /** Marks the receiver as failing. Returns the time of its first consecutive failure, never later than now. */
    fails(id: number, nowMs: number): number {
      const sinceMs = Math.min((failingSince.get(id) as number | null | undefined) ?? nowMs, nowMs);
      if (sinceMs === nowMs) fails.run(nowMs, id);
      return sinceMs;
    },
    /** Hides the webhook; its rows are deleted in the background. */
    discard: (id: number) => void discard.run(id),
    subscriptions(): Subscription[] {
      const rows = subscriptions.all() as Pick<
        WebhookRow,
        'id' | 'type' | 'project_id' | 'organization_id' | 'events'
      >[];
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
