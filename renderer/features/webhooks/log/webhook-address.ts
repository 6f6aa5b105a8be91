import type { ListAddress } from '../../../shared/lists/list-address.ts';

/** Polling interval of log, queue and receiver. */
export const logRefreshMs = 1_500;

export interface WebhookAddress extends ListAddress {
  readonly tab?: string | undefined;
  readonly event?: string | undefined;
  readonly outcome?: string | undefined;
  readonly attempt?: string | undefined;
  readonly state?: string | undefined;
  /** Header `webhook-id`. */
  readonly message?: string | undefined;
  readonly delivery?: string | undefined;
}
