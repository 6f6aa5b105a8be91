import type { ListAddress } from '../../../parts/lists/list-address.ts';

/** Polling interval of log, queue and receiver. */
export const logRefreshMs = 1_500;

/** Address of a webhook's page. */
export interface WebhookAddress extends ListAddress {
  readonly tab?: string | undefined;
  readonly event?: string | undefined;
  readonly outcome?: string | undefined;
  readonly attempt?: string | undefined;
  /** State of the events in the queue. */
  readonly state?: string | undefined;
  /** Header `webhook-id`. */
  readonly message?: string | undefined;
  /** The attempt shown beside the log. */
  readonly delivery?: string | undefined;
}
