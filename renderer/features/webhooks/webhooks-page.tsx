/** Being written. */
export const WebhooksPage = (_: { readonly search: object }) => null;
