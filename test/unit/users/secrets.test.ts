import { expect, test } from 'vitest';
import { randomSecret } from '../../../main/users/auth/secrets.ts';

test('a secret never begins with a hyphen, which a command line reads as an option', () => {
  const first = Array.from({ length: 5000 }, () => randomSecret(6).slice(0, 1));
  expect(first).not.toContain('-');
  expect(randomSecret(32)).toMatch(/^[\w-]{43}$/);
});
