import { expect, test } from 'vitest';
import { keepLoopbackDirect } from '../../../main/platform/proxy.ts';

const kept = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  keepLoopbackDirect(env);
  return env;
};

test("loopback is added to the environment's proxy exceptions", () => {
  expect(kept({ HTTP_PROXY: 'http://proxy:1' })['NO_PROXY']).toBe('localhost,127.0.0.1,::1');
  expect(kept({ https_proxy: 'http://proxy:1', no_proxy: 'intranet' })['no_proxy']).toBe(
    'intranet,localhost,127.0.0.1,::1',
  );
});

test('an environment without a proxy stays as it is', () => {
  expect(kept({ PATH: '/bin' })).toEqual({ PATH: '/bin' });
});
