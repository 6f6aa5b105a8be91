/** What the address says about the page of a webhook. */
export interface WebhookAddress {
  readonly tab?: string;
  readonly event?: string;
  readonly outcome?: string;
  readonly attempt?: string;
  /** Header `webhook-id`. */
  readonly message?: string;
  /** The attempt that is shown beside the log. */
  readonly delivery?: string;
}
