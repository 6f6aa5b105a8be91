import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random text of the given number of random bytes, safe in addresses, headers, cookies and on command lines. */
export function randomSecret(bytes: number): string {
  const secret = randomBytes(bytes).toString('base64url');
  // A command line takes a word that begins with a hyphen for an option.
  return secret.startsWith('-') ? randomSecret(bytes) : secret;
}

/** What the store keeps of a secret. The secrets are random, so a plain digest cannot be searched. */
export function secretHash(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** In time that depends on the lengths only. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(secretHash(left)), Buffer.from(secretHash(right)));
}
