/** Texts of the webhook manager. */
export const webhooks = { webhooks: {} };
