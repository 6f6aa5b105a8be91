import type { QueueState } from '../../../preload/contract/schema/webhooks.ts';
import { isoFromMs } from '../../platform/clock.ts';
import { holdMs, isDelivered, isRetryable, nextDelayMs, parseRetryAfter } from './retry-policy.ts';
import type { DeliveryRepository } from '../store/delivery-repository.ts';
import type { MessageRow, OutboxRepository } from '../store/outbox-repository.ts';
import type { WebhookRepository } from '../store/webhook-repository.ts';

export interface Attempt {
  /** For display, without the password of the request. */
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status: number;
  readonly response: string;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly durationMs: number;
  readonly endedMs: number;
}

export type AttemptOutcome = ReturnType<AttemptRecorder['record']>;

const gone = 410;

export type AttemptRecorder = ReturnType<typeof createAttemptRecorder>;

/** Stores the outcome of an attempt: its log row and the state of the message. Must run inside a transaction. */
export function createAttemptRecorder(dependencies: {
  readonly webhooks: Pick<WebhookRepository, 'update' | 'fails' | 'takes'>;
  readonly outbox: Pick<OutboxRepository, 'setOutcome' | 'skipAll'>;
  readonly deliveries: Pick<DeliveryRepository, 'insert'>;
  readonly delaysMs: readonly number[];
}) {
  const { webhooks, outbox, deliveries, delaysMs } = dependencies;
  const longestHoldMs = holdMs(delaysMs);

  function deactivate(webhookId: number, endedMs: number): void {
    const date = isoFromMs(endedMs);
    const reason =
      `The receiver answered 410 (Gone) at ${date}, so it wants no more deliveries and the webhook was disabled. ` +
      'Check the target URL and enable it again.';
    webhooks.update(webhookId, { is_active: 0, deactivation_reason: reason }, date);
    outbox.skipAll(webhookId, 'The receiver answered 410 (Gone), so the webhook was disabled.');
  }

  /**
   * A failing event blocks later ones during the short retry delays, counted from the receiver's first failure. After
   * that it blocks nothing.
   */
  const holdUntil = ({ webhook_id: id, redelivery }: Pick<MessageRow, 'webhook_id' | 'redelivery'>, endedMs: number) =>
    redelivery === 1 ? 0 : webhooks.fails(id, endedMs) + longestHoldMs;

  return {
    /** @param retries false for a ping, which is sent once */
    record(
      message: Pick<MessageRow, 'id' | 'webhook_id' | 'attempts' | 'redelivery'>,
      attempt: Attempt,
      retries: boolean,
    ) {
      const { status, endedMs } = attempt;
      const number = message.attempts + 1;
      const retryAfter = parseRetryAfter(attempt.responseHeaders['retry-after'], endedMs);
      const delay = retries ? nextDelayMs(status, number, retryAfter, delaysMs) : null;
      const state: QueueState = delay !== null ? 'waiting' : isDelivered(status) ? 'delivered' : 'failed';
      const isThere = outbox.setOutcome(message.id, {
        attempts: number,
        state,
        attemptedMs: endedMs,
        nextAttemptMs: endedMs + (delay ?? 0),
        holdUntilMs: state === 'waiting' ? holdUntil(message, endedMs) : 0,
      });
      if (!isRetryable(status)) webhooks.takes(message.webhook_id);
      const deliveryId = isThere ? deliveries.insert(logRow(message, number, attempt)) : null;
      const isGone = isThere && status === gone;
      if (isGone) deactivate(message.webhook_id, endedMs);
      // `deliveryId` is null if the webhook and its log were deleted during the attempt; `isGone` means that the
      // receiver asked never to be called again.
      return { state, deliveryId, isGone };
    },
  };
}

function logRow(message: Pick<MessageRow, 'id' | 'webhook_id'>, number: number, attempt: Attempt) {
  return {
    message_id: message.id,
    webhook_id: message.webhook_id,
    attempt: number,
    status_code: attempt.status,
    request_duration_ms: attempt.durationMs,
    created_date: isoFromMs(attempt.endedMs - attempt.durationMs),
    updated_date: isoFromMs(attempt.endedMs),
    target_url: attempt.url,
    request_headers: JSON.stringify(attempt.requestHeaders),
    response_headers: JSON.stringify(attempt.responseHeaders),
    response: attempt.response,
  };
}
