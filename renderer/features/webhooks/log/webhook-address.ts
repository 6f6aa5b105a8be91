import type { ListAddress } from '../../../parts/lists/list-address.ts';

/** The log, the queue and the receiver change by themselves; this machine answers at once. */
export const logRefreshMs = 1_500;

/** What the address says about the page of a webhook. */
export interface WebhookAddress extends ListAddress {
  readonly tab?: string | undefined;
  readonly event?: string | undefined;
  readonly outcome?: string | undefined;
  readonly attempt?: string | undefined;
  /** State of the events in the queue. */
  readonly state?: string | undefined;
  /** Header `webhook-id`. */
  readonly message?: string | undefined;
  /** The attempt that is shown beside the log. */
  readonly delivery?: string | undefined;
}
