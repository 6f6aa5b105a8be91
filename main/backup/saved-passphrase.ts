import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../platform/durable-files.ts';
import type { SecretBox } from '../platform/secrets.ts';

export type KeptPassphrase = ReturnType<typeof createKeptPassphrase>;

/** Passphrase of scheduled backups, encrypted in the keys volume. */
export function createKeptPassphrase(root: string, secrets: SecretBox) {
  const file = join(root, 'keys', 'backup-passphrase');
  return {
    isThere: (): boolean => existsSync(file),
    /**
     * Null if backups are not encrypted. @throws AppError if it cannot be decrypted, so that no plain backup is written
     * instead
     */
    read: (): string | null => (existsSync(file) ? secrets.open(readFileSync(file, 'utf8')) : null),
    keep(passphrase: string | null): void {
      if (passphrase === null) rmSync(file, { force: true });
      else replaceFileSync(file, secrets.seal(passphrase));
    },
  };
}
