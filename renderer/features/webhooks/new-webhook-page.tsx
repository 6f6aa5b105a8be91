/** Being written. */
export const NewWebhookPage = (_: { readonly projectId: number | undefined }) => null;
