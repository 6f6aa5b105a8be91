/** Being written. */
export const WebhookPage = (_: { readonly webhookId: number; readonly search: object }) => null;
