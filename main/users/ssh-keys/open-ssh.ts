import { createHash } from 'node:crypto';
import type { ParsedKey } from 'ssh2';
import { invalidField } from '../../platform/errors.ts';

export type OpenedKey = ParsedKey;

/** Loaded when a key is needed, because it would delay the start. */
const tools = async () => (await import('ssh2')).default.utils;

export const fingerprintOf = (blob: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;

/**
 * Creates an ed25519 key in OpenSSH's format, with an optional passphrase. The library cannot read about 3 in 1,000 of
 * the keys it creates, so those are created again.
 */
export async function makeKey(comment: string, passphrase: string | undefined): Promise<string> {
  const { generateKeyPairSync, parseKey } = await tools();
  const lock = passphrase === undefined ? {} : ({ passphrase, cipher: 'aes256-ctr', rounds: 24 } as const);
  for (;;) {
    const { private: text } = generateKeyPairSync('ed25519', { comment, ...lock });
    if (!(parseKey(text, passphrase) instanceof Error)) return text;
  }
}

const isLocked = (reason: string): boolean => reason.includes('no passphrase given');
const isWrong = (reason: string): boolean => /passphrase|decrypt|integrity/i.test(reason);

export async function needsPassphrase(text: string): Promise<boolean> {
  const parsed = (await tools()).parseKey(text);
  return parsed instanceof Error && isLocked(parsed.message);
}

/** @throws AppError 400 for text that is not a private key, and for a missing or wrong passphrase */
export async function openKey(text: string, passphrase: string | undefined): Promise<OpenedKey> {
  const parsed: unknown = (await tools()).parseKey(text, passphrase);
  const [key] = (Array.isArray(parsed) ? parsed : [parsed]) as (ParsedKey | Error)[];
  if (key instanceof Error || key === undefined) throw cannotOpen(key?.message ?? '');
  if (!key.isPrivateKey())
    throw invalidField(
      'private_key',
      'This is the public part of a key. Enter the private key: the file without .pub.',
    );
  return key;
}

function cannotOpen(reason: string) {
  if (isLocked(reason)) return invalidField('passphrase', 'This key needs a passphrase. Enter it.');
  if (isWrong(reason))
    return invalidField('passphrase', 'The passphrase does not match this key. Nothing was sent. Enter it again.');
  return invalidField(
    'private_key',
    'Cannot read this private key. Enter one in a format of ssh-keygen: OpenSSH or PEM; ed25519, ECDSA or RSA.',
  );
}
