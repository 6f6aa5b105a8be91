import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** N = 2^15, r = 8, p = 1: 32 MiB and some 50 ms a password, off the main thread. */
const logCost = 15;
const blockSize = 8;
const parallelization = 1;
const keyLength = 32;
const maxMemory = 256 * 1024 * 1024;

/** A password that nothing matches: for accounts that are entered by launch link only. */
export const noPassword = '!';

/** `scrypt:<log2 N>:<r>:<p>:<salt>:<key>`, salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const options = { N: 2 ** logCost, r: blockSize, p: parallelization, maxmem: maxMemory };
  const key = await derive(password.normalize('NFKC'), salt, keyLength, options);
  return ['scrypt', logCost, blockSize, parallelization, salt.toString('base64url'), key.toString('base64url')].join(
    ':',
  );
}

/** Takes the same time for an account that is not there (`undefined`), so that names cannot be probed. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [scheme, cost, block, parallel, salt = '', expected = ''] = (stored ?? noPassword).split(':');
  if (scheme !== 'scrypt') {
    await hashPassword(password);
    return false;
  }
  const options = { N: 2 ** Number(cost), r: Number(block), p: Number(parallel), maxmem: maxMemory };
  const wanted = Buffer.from(expected, 'base64url');
  const key = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), keyLength, options);
  return wanted.length === key.length && timingSafeEqual(wanted, key);
}
