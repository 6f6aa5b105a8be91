import { createHmac } from 'node:crypto';

/**
 * Headers with which a receiver verifies that a request is authentic and new.
 *
 * - `X-Signature-256`: `sha256=` and the lowercase hexadecimal HMAC-SHA256 of the body, keyed with the secret.
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature`: the Standard Webhooks scheme. Its signature includes id and
 * timestamp, so that a receiver can reject replayed requests. The key is the secret's bytes or, after the prefix
 * `whsec_`, its base64-decoded rest. During a secret rotation there is a signature for each secret, separated by a
 * space.
 *
 * @param secrets newest first; empty or an empty secret means unsigned
 * @param sentMs time of the attempt, in milliseconds since 1970
 */
export function signatureHeaders(
  secrets: readonly string[],
  messageId: string,
  sentMs: number,
  body: Uint8Array,
): Record<string, string> {
  const timestamp = String(Math.floor(sentMs / 1000));
  const identity = { 'webhook-id': messageId, 'webhook-timestamp': timestamp };
  const [secret = ''] = secrets;
  if (secret === '') return identity;
  const signatures = secrets.map((one) => standardSignature(one, messageId, timestamp, body));
  return { 'X-Signature-256': bodySignature(secret, body), ...identity, 'webhook-signature': signatures.join(' ') };
}

export const bodySignature = (secret: string, body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

export function standardSignature(secret: string, messageId: string, timestamp: string, body: Uint8Array): string {
  const hmac = createHmac('sha256', standardKey(secret)).update(`${messageId}.${timestamp}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
}

const standardPrefix = 'whsec_';

function standardKey(secret: string): Buffer | string {
  return secret.startsWith(standardPrefix) ? Buffer.from(secret.slice(standardPrefix.length), 'base64') : secret;
}
