import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random text from the given number of random bytes, safe in addresses, headers, cookies and on command lines. */
export function randomSecret(bytes: number): string {
  const secret = randomBytes(bytes).toString('base64url');
  // A leading hyphen would be an option on a command line.
  return secret.startsWith('-') ? randomSecret(bytes) : secret;
}

/** Stored form of a secret. Secrets are random, so a plain digest cannot be brute-forced. */
export function secretHash(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Takes a time that depends only on the lengths. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(secretHash(left)), Buffer.from(secretHash(right)));
}
