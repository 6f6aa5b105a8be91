import { expect, it } from 'vitest';
import { makeKey, openKey } from '../../../../main/users/ssh-keys/open-ssh.ts';

it('every created key can be opened', async () => {
  // About three in a thousand keys of the generator need a fix.
  for (let round = 0; round < 2000; round += 1) {
    const { type } = await openKey(await makeKey('a computer', undefined), undefined);
    if (type !== 'ssh-ed25519') expect.fail(type);
  }
  const locked = await makeKey('a computer', 'secret words');
  expect((await openKey(locked, 'secret words')).comment).toBe('a computer');
});
