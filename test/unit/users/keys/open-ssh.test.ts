import { expect, it } from 'vitest';
import { makeKey, openKey } from '../../../../main/users/ssh-keys/open-ssh.ts';

it('every created key can be opened', async () => {
  // About three in a thousand keys of the generator need a fix.
  for (let round = 0; round < 2000; round += 1) {
    const key = await openKey(await makeKey('a computer', undefined), undefined);
    expect(key.type).toBe('ssh-ed25519');
  }
  const locked = await makeKey('a computer', 'secret words');
  expect((await openKey(locked, 'secret words')).comment).toBe('a computer');
});
