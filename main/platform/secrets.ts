import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createFileSync } from './durable-files.ts';
import { AppError } from './errors.ts';

/** Encrypts stored secrets. Sealed text can be opened only on this computer. */
export interface SecretBox {
  seal(text: string): string;
  /** @throws AppError `unavailable` with a sentence for the user if this shell cannot open the sealed text */
  open(sealed: string): string;
}

/** The part of Electron's `safeStorage` in use: the operating system's keychain. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(encrypted: Buffer): string;
  /** Linux only: `basic_text` means that there is no keychain and no protection. */
  getSelectedStorageBackend?(): string;
}

const keyFilePrefix = 'file1:';
const keychainPrefix = 'keychain1:';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

const cannotOpen = (cause?: unknown) =>
  new AppError(
    'unavailable',
    'Cannot read the stored secret: another shell of Limner stored it, or its key is missing. Nothing was ' +
      'sent. Enter the secret again.',
    undefined,
    { cause },
  );

/**
 * AES-256-GCM with a random key in a file that only its owner may read (0600). The file is created when the first
 * secret is sealed. A copy of the data directory includes the key, so this protects only copies of the store.
 */
export function createFileSecrets(keyFile: string): SecretBox {
  let known: Buffer | null = null;
  const key = (make: boolean): Buffer => (known ??= readKey(keyFile) ?? (make ? makeKey(keyFile) : missingKey()));
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key(true), nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return keyFilePrefix + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open(sealed) {
      if (!sealed.startsWith(keyFilePrefix)) throw cannotOpen();
      const bytes = Buffer.from(sealed.slice(keyFilePrefix.length), 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key(false), bytes.subarray(0, nonceBytes));
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw cause instanceof AppError ? cause : cannotOpen(cause);
      }
    },
  };
}

/** Seals with the keychain if the shell has one, otherwise with a key in this file. */
export function createSecrets(keyFile: string, keychain: SafeStorage | undefined): SecretBox {
  const file = createFileSecrets(keyFile);
  return keychain ? createKeychainSecrets(keychain, file) : file;
}

/**
 * Seals with the keychain if there is one, otherwise with `fallback`. Opens text sealed by either, so that a data
 * directory used by the browser shell works in the desktop shell.
 */
export function createKeychainSecrets(keychain: SafeStorage, fallback: SecretBox): SecretBox {
  const isThere = () => keychain.isEncryptionAvailable() && keychain.getSelectedStorageBackend?.() !== 'basic_text';
  return {
    seal: (text) =>
      isThere() ? keychainPrefix + keychain.encryptString(text).toString('base64') : fallback.seal(text),
    open(sealed) {
      if (!sealed.startsWith(keychainPrefix)) return fallback.open(sealed);
      try {
        return keychain.decryptString(Buffer.from(sealed.slice(keychainPrefix.length), 'base64'));
      } catch (cause) {
        throw cannotOpen(cause);
      }
    },
  };
}

function readKey(file: string): Buffer | null {
  let key: Buffer;
  try {
    key = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (key.length !== keyBytes) throw cannotOpen(new Error(`${file} is not a key.`));
  return key;
}

/** A second process must not replace a key in use: the later one reads the existing key. */
function makeKey(file: string): Buffer {
  createFileSync(file, randomBytes(keyBytes));
  return readKey(file) ?? missingKey();
}

function missingKey(): never {
  throw cannotOpen(new Error('The key file is missing.'));
}
