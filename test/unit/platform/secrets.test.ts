import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFileSecrets, createKeychainSecrets, type SafeStorage } from '../../../main/platform/secrets.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let keyFile: string;
beforeEach(() => {
  folder = temporaryFolder();
  keyFile = join(folder, 'keys', 'secrets.key');
});

const secret = 'gehéim 🔑 \n';

describe('secrets under a key file', () => {
  test('can be opened again, by a later run too', () => {
    const sealed = createFileSecrets(keyFile).seal(secret);
    expect(createFileSecrets(keyFile).open(sealed)).toBe(secret);
  });

  test('reveal nothing, not even if two are equal', () => {
    const box = createFileSecrets(keyFile);
    const [one, two] = [box.seal(secret), box.seal(secret)];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.split(':')[1] ?? '', 'base64').includes(Buffer.from('geh'))).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('are sealed with a key that only its owner may read', () => {
    createFileSecrets(keyFile).seal(secret);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(keyFile)).toHaveLength(32);
  });

  test('that were changed are refused', () => {
    const box = createFileSecrets(keyFile);
    const [prefix, text = ''] = box.seal(secret).split(':');
    const bytes = Buffer.from(text, 'base64');
    for (let index = 0; index < bytes.length; index += 7) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => box.open(`${prefix}:${changed.toString('base64')}`)).toThrow(/Enter the secret again/);
    }
  });

  test('are refused with another key, without one, and with half of one', () => {
    const sealed = createFileSecrets(keyFile).seal(secret);
    writeFileSync(keyFile, Buffer.alloc(32, 1));
    expect(() => createFileSecrets(keyFile).open(sealed)).toThrow(/Cannot read the stored secret/);
    truncateSync(keyFile, 16);
    expect(() => createFileSecrets(keyFile).open(sealed)).toThrow(/Cannot read the stored secret/);
    rmSync(keyFile);
    expect(() => createFileSecrets(keyFile).open(sealed)).toThrow(/Cannot read the stored secret/);
  });

  test('of two processes that create the key at once have the same one', () => {
    const [one, two] = [createFileSecrets(keyFile), createFileSecrets(keyFile)];
    const [first, second] = [one.seal('a'), two.seal('b')];
    expect([two.open(first), one.open(second)]).toEqual(['a', 'b']);
  });
});

describe('secrets in a keychain', () => {
  const keychain = (isThere: boolean, backend?: string): SafeStorage => ({
    isEncryptionAvailable: () => isThere,
    encryptString: (text) => Buffer.from(text.split('').toReversed().join('')),
    decryptString: (bytes) => bytes.toString().split('').toReversed().join(''),
    ...(backend ? { getSelectedStorageBackend: () => backend } : {}),
  });

  test('are sealed by it', () => {
    const box = createKeychainSecrets(keychain(true), createFileSecrets(keyFile));
    const sealed = box.seal('abc');
    expect(sealed).toMatch(/^keychain/);
    expect(box.open(sealed)).toBe('abc');
  });

  test.each([
    ['there is none', keychain(false)],
    ['it would protect nothing', keychain(true, 'basic_text')],
  ])('use the key file if %s', (_, storage) => {
    const file = createFileSecrets(keyFile);
    const box = createKeychainSecrets(storage, file);
    expect(file.open(box.seal('abc'))).toBe('abc');
  });

  test('open secrets of the browser shell, which cannot open theirs', () => {
    const file = createFileSecrets(keyFile);
    const box = createKeychainSecrets(keychain(true), file);
    expect(box.open(file.seal('from the browser'))).toBe('from the browser');
    expect(() => file.open(box.seal('from the desktop'))).toThrow(/another shell of Limner/);
  });
});
