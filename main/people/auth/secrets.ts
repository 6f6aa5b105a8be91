import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random text of the given number of random bytes, safe in addresses, headers and cookies. */
export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** What the store keeps of a secret. The secrets are random, so a plain digest cannot be searched. */
export function secretHash(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** In time that depends on the lengths only. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(secretHash(left)), Buffer.from(secretHash(right)));
}
