import { z } from 'zod';
import { basicUserSchema, dateTimeSchema } from './common.ts';

/** `server`: for events of the whole workbench, created by administrators; known to clients of 2.76 and later. */
export const webhookTypes = ['project', 'organization', 'server'] as const;
export type WebhookType = (typeof webhookTypes)[number];

export interface EventKind {
  /** `<action>:<resource>`, for example `update:job` or `completed:request[export:dataset]`. */
  readonly key: string;
  readonly group: string;
  readonly types: readonly WebhookType[];
}

type Action = 'create' | 'update' | 'delete';
const everyAction: readonly Action[] = ['create', 'update', 'delete'];

const ofResource = (
  resource: string,
  group: string,
  organization: readonly Action[],
  project: readonly Action[],
): EventKind[] =>
  organization.map((action) => ({
    key: `${action}:${resource}`,
    group,
    types: project.includes(action) ? ['project', 'organization'] : ['organization'],
  }));

/** Events of the whole workbench. */
const ofServer = (resource: string, group: string, actions: readonly Action[]): EventKind[] =>
  actions.map((action) => ({ key: `${action}:${resource}`, group, types: ['server'] }));

const ofRequest = (group: string, ...types: string[]): EventKind[] =>
  types.map((type) => ({ key: `completed:request[${type}]`, group, types: ['project', 'organization'] }));

export const eventKinds: readonly EventKind[] = [
  ...ofResource('project', 'Project', everyAction, ['update', 'delete']),
  ...ofResource('task', 'Task', everyAction, everyAction),
  ...ofResource('job', 'Job', everyAction, everyAction),
  ...ofResource('issue', 'Issue', everyAction, everyAction),
  ...ofResource('comment', 'Comment', everyAction, everyAction),
  ...ofResource('organization', 'Organization', ['update'], []),
  ...ofServer('organization', 'Organization', ['create', 'delete']),
  ...ofServer('user', 'User', everyAction),
  ...ofResource('invitation', 'Invitation', ['create', 'delete'], []),
  ...ofResource('membership', 'Membership', everyAction, []),
  ...ofRequest('Task data creation', 'create:task'),
  ...ofRequest('Dataset export', 'export:annotations', 'export:dataset'),
  ...ofRequest('Backup export', 'export:backup'),
  ...ofRequest('Consensus merge', 'merge:task', 'merge:job'),
  ...ofRequest('Quality report creation', 'calculate:quality'),
].sort((a, b) => (a.key < b.key ? -1 : 1));

export const webhookLimits = { targetUrl: 8192, description: 128, secret: 64 } as const;

const webhookFields = {
  id: z.int(),
  url: z.string(),
  target_url: z.string(),
  description: z.string(),
  type: z.enum(webhookTypes),
  content_type: z.enum(['application/json']),
  is_active: z.boolean(),
  enable_ssl: z.boolean(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
  owner: basicUserSchema.nullable(),
  project_id: z.int().nullable(),
  /** Same as `project_id`, with the name in the specification. */
  project: z.int().nullable(),
  organization: z.int().nullable(),
  /** Sorted. */
  events: z.array(z.string()),
};
/** Never contains the secret. */
export const webhookSchema = z.object({
  ...webhookFields,
  /** Absent, like the date, until the first delivery. */
  last_status: z.int().optional(),
  last_delivery_date: dateTimeSchema.optional(),
});
export type Webhook = z.infer<typeof webhookSchema>;

const writable = {
  target_url: z.string().trim().min(1, 'This field may not be blank.').max(webhookLimits.targetUrl),
  description: z.string().max(webhookLimits.description),
  content_type: z.enum(['application/json']),
  /** Empty: requests are not signed. */
  secret: z.string().max(webhookLimits.secret),
  is_active: z.boolean(),
  enable_ssl: z.boolean(),
  /** Order and duplicates are ignored. */
  events: z.array(z.string()),
};
/** Fields that cannot be changed later. */
const writeOnce = {
  type: z.enum(webhookTypes),
  project_id: z.int().nullable().optional(),
  /** Alias of `project_id`. */
  project: z.int().nullable().optional(),
};

export const webhookWriteSchema = z.object({
  ...writable,
  ...writeOnce,
  description: writable.description.default(''),
  content_type: writable.content_type.default('application/json'),
  secret: writable.secret.default(''),
  is_active: writable.is_active.default(true),
  enable_ssl: writable.enable_ssl.default(true),
});
export type WebhookWrite = z.output<typeof webhookWriteSchema>;

export const webhookPatchSchema = z.object(writable).partial();
export type WebhookPatch = z.output<typeof webhookPatchSchema>;

/** Absent fields do not change; `type` is required and ignored. */
export const webhookPutSchema = webhookPatchSchema.required({ target_url: true, events: true }).extend({
  type: writeOnce.type,
});

export const webhookEventsSchema = z.object({
  webhook_type: z.enum(['all', ...webhookTypes]),
  events: z.array(z.object({ key: z.string(), group: z.object({ display_name: z.string() }) })),
});

export type WebhookEvents = z.infer<typeof webhookEventsSchema>;

export const webhookDeliverySchema = z.object({
  id: z.int(),
  webhook_id: z.int(),
  /** `ping` or an event key. */
  event: z.string(),
  /** Status of the receiver; 502 without a connection, 504 after a timeout. */
  status_code: z.int().nullable(),
  redelivery: z.boolean(),
  /** Starts at 1. */
  attempt: z.int().nullable(),
  /** Milliseconds. */
  request_duration: z.int().nullable(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
  /** Keys of `before_update`, joined by commas. */
  changed_fields: z.string(),
  request: z.record(z.string(), z.unknown()),
  /**
   * The receiver's answer, empty if it exceeds 1 MiB. Without an answer, an error message; for a redirect, a message
   * before the answer.
   */
  response: z.string(),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

export const queueStates = ['waiting', 'delivered', 'failed', 'skipped'] as const;
export type QueueState = (typeof queueStates)[number];

/** Limner extension: delivery of an event to one webhook, with all attempts. */
export const webhookMessageSchema = z.object({
  id: z.int(),
  webhook_id: z.int(),
  /** Header `webhook-id` of every attempt. */
  message_id: z.string(),
  event: z.string(),
  redelivery: z.boolean(),
  state: z.enum(queueStates),
  reason: z.string(),
  attempts: z.int(),
  last_status: z.int().nullable(),
  created_date: dateTimeSchema,
  /** Date of the next retry; null before the first attempt. */
  next_attempt_date: dateTimeSchema.nullable(),
  changed_fields: z.string(),
});
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;

/** Limner extension: state of a webhook for its page. */
export const webhookStateSchema = z.object({
  has_secret: z.boolean(),
  /** End of the period in which the replaced secret signs too. */
  previous_secret_until: dateTimeSchema.nullable(),
  /** Messages by state, without redelivered ones and failed pings. */
  waiting: z.int(),
  delivered: z.int(),
  failed: z.int(),
  skipped: z.int(),
  /** Date of the next attempt; null if none is waiting. */
  next_attempt_date: dateTimeSchema.nullable(),
  /** Reason, if Limner switched the webhook off. */
  deactivation_reason: z.string().nullable(),
});
export type WebhookState = z.infer<typeof webhookStateSchema>;

/** Limner extension: one attempt with its HTTP request and answer. */
export const webhookExchangeSchema = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Signed bytes of the request, in ASCII. */
  body: z.string(),
  /** Same request as a command line for a POSIX shell. */
  curl: z.string(),
  status_code: z.int().nullable(),
  response_headers: z.record(z.string(), z.string()),
  response: z.string(),
  message: webhookMessageSchema,
});
export type WebhookExchange = z.infer<typeof webhookExchangeSchema>;

/** Limner extension: allowed targets of webhooks. Link-local and metadata addresses are never allowed. */
export const webhookSettingsSchema = z.object({
  allow_loopback: z.boolean().describe('Allow webhooks to addresses of this computer.'),
  allow_private_networks: z.boolean().describe('Allow webhooks to addresses of private networks.'),
});
export type WebhookSettings = z.infer<typeof webhookSettingsSchema>;
export const webhookSettingsPatchSchema = webhookSettingsSchema.partial();
export type WebhookSettingsPatch = z.output<typeof webhookSettingsPatchSchema>;

export const signatureVerdicts = ['valid', 'invalid', 'missing', 'unsigned', 'unknown'] as const;
/** Limner extension: request that the test receiver got. */
export const receivedRequestSchema = z.object({
  number: z.int(),
  received_date: dateTimeSchema,
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Text, truncated if it is long. */
  body: z.string(),
  is_cut: z.boolean(),
  event: z.string().nullable(),
  webhook_id: z.int().nullable(),
  message_id: z.string().nullable(),
  /** True if an earlier request had the same `webhook-id`. */
  is_repeat: z.boolean(),
  /** `unsigned`: the webhook has no secret. `unknown`: the request names no webhook of this workbench. */
  signature: z.enum(signatureVerdicts),
  /** Result for the header `webhook-signature`. */
  standard_signature: z.enum(signatureVerdicts),
  status_code: z.int(),
});
export type ReceivedRequest = z.infer<typeof receivedRequestSchema>;

const receiverAnswerSchema = z.object({
  answer_status: z.int().min(200).max(599),
  answer_delay_ms: z.int().min(0).max(60_000),
});
export type ReceiverAnswer = z.infer<typeof receiverAnswerSchema>;
export const receiverAnswerPatchSchema = receiverAnswerSchema.partial();
export type ReceiverAnswerPatch = z.output<typeof receiverAnswerPatchSchema>;
export const webhookReceiverSchema = z.object({
  is_running: z.boolean(),
  /** Target URL for webhooks under test; null while the receiver is off. */
  url: z.string().nullable(),
  ...receiverAnswerSchema.shape,
  /** Newest first, at most some hundred. */
  received: z.array(receivedRequestSchema),
  received_count: z.int(),
});
export type WebhookReceiver = z.infer<typeof webhookReceiverSchema>;
