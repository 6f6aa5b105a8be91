import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../../platform/errors.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** N = 2^15, r = 8, p = 1: 32 MiB and some 50 ms per password, off the main thread. */
const logCost = 15;
const blockSize = 8;
const parallelization = 1;
const keyLength = 32;
const maxMemory = 256 * 1024 * 1024;

/** A hash that no password matches: for accounts used only by launch link. */
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

/** Takes the same time for an unknown account (`undefined`), so that names cannot be probed. */
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

const leastLength = 8;
/** The most common passwords; shorter ones are already refused because of their length. */
const common = new Set(
  `pass test 1234 12345 123456 1234567 12345678 123456789 1234567890 qwerty letmein dragon monkey abc123 secret password password1 password12 password123 passw0rd p@ssw0rd p@ssword qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx asdfghjk asdfghjkl zxcvbnm1 abcd1234 abc12345 abcdefgh aaaaaaaa iloveyou iloveyou1
  sunshine princess football baseball superman starwars trustno1 whatever jennifer michelle computer internet letmein1
  welcome1 welcome123 admin123 admin1234 administrator changeme changeit default1 test1234 testtest secret123 master123
  dragon123 monkey123 michael1 corvette mercedes maverick midnight samantha victoria butthead bigdaddy blink182 charlie1
  hello123 nintendo pokemon1 realmadrid liverpool barcelona chocolate garfield danielle alexander benjamin christian`.split(
    /\s+/,
  ),
);

/** @throws AppError 400 for a short or common password, in CVAT's words */
export function requireGoodPassword(field: string, password: string): void {
  const problems = [
    ...([...password].length < leastLength
      ? [`This password is too short. It must contain at least ${leastLength} characters.`]
      : []),
    ...(common.has(password.toLowerCase()) ? ['This password is too common.'] : []),
    ...(/^\d+$/.test(password) ? ['This password is entirely numeric.'] : []),
  ];
  if (problems[0] !== undefined) throw new AppError('invalid', problems[0], { [field]: problems });
}
