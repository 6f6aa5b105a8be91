import type { ListDefinition } from '../../db/filters.ts';
import type { Store } from '../../db/store.ts';

/** One attempt, without its payload. */
export interface DeliveryRow {
  readonly id: number;
  readonly message_id: number;
  readonly webhook_id: number;
  readonly attempt: number;
  readonly status_code: number | null;
  readonly request_duration_ms: number;
  readonly created_date: string;
  readonly updated_date: string;
  readonly target_url: string;
  /** JSON objects. */
  readonly request_headers: string;
  readonly response_headers: string;
  readonly response: string;
}

/** Includes the columns that all attempts of a message share. */
export interface ListedDeliveryRow extends DeliveryRow {
  readonly event: string;
  readonly redelivery: number;
  readonly changed_fields: string;
  readonly body: string;
}

/** Subqueries instead of a join, so that counting a long log needs only its index. */
const ofMessage = (column: string) =>
  `(SELECT ${column} FROM webhook_message WHERE webhook_message.id = webhook_delivery.message_id)`;

export const deliveryList: ListDefinition = {
  select: `webhook_delivery.*, ${ofMessage('event')} AS event, ${ofMessage('redelivery')} AS redelivery,
    ${ofMessage('changed_fields')} AS changed_fields,
    (SELECT body FROM webhook_payload WHERE webhook_payload.id = webhook_delivery.message_id) AS body`,
  from: 'webhook_delivery',
  fields: {
    id: { sql: 'webhook_delivery.id', type: 'number' },
    event: { sql: ofMessage('event'), type: 'text', equality: true },
    status_code: { sql: 'webhook_delivery.status_code', type: 'number', equality: true },
    redelivery: { sql: ofMessage('redelivery'), type: 'boolean', equality: true },
    attempt: { sql: 'webhook_delivery.attempt', type: 'number', equality: true },
    message_id: { sql: ofMessage('message_id'), type: 'text', equality: true },
    changed_fields: { sql: ofMessage('changed_fields'), type: 'text' },
    request_duration: { sql: 'webhook_delivery.request_duration_ms', type: 'number' },
    created_date: { sql: 'webhook_delivery.created_date', type: 'date' },
    updated_date: { sql: 'webhook_delivery.updated_date', type: 'date' },
  },
  search: ['event', 'changed_fields'],
  // Rows are inserted when their attempt ends, so the highest id is the newest.
  sort: '-id',
};

export type DeliveryRepository = ReturnType<typeof createDeliveryRepository>;

export function createDeliveryRepository(database: Store) {
  const insert = database.query(
    `INSERT INTO webhook_delivery (message_id, webhook_id, attempt, status_code, request_duration_ms, created_date,
       updated_date, target_url, request_headers, response_headers, response)
     VALUES (@message_id, @webhook_id, @attempt, @status_code, @request_duration_ms, @created_date,
       @updated_date, @target_url, @request_headers, @response_headers, @response)`,
  );
  const one = database.query(`SELECT ${deliveryList.select} FROM ${deliveryList.from} WHERE webhook_delivery.id = +?`);
  return {
    insert: (delivery: Omit<DeliveryRow, 'id'>) => Number(insert.run(delivery).lastInsertRowid),
    get: (id: number) => one.get(id) as ListedDeliveryRow | undefined,
  };
}
