import { expect, it } from 'vitest';
import { createAddressRule } from '../../../../main/functions/engines/address-rule.ts';

type Repository = Parameters<typeof createAddressRule>[0];
const settings = () => ({ allowLoopback: true, allowPrivateNetworks: false });

/** The rows that addresses are recorded from, over two starts. */
function workstation(functions: string[], dashboards: string[]) {
  const kept = new Map<string, string>();
  const repository = {
    setting(key: string, make: () => string) {
      const value = kept.get(key) ?? make();
      kept.set(key, value);
      return value;
    },
    list: () => functions.map((address) => ({ provider: 'url', address })),
    dashboards: { list: () => dashboards.map((url) => ({ url })) },
  } as unknown as Repository;
  return () => createAddressRule(repository, settings);
}

it('keeps functions and dashboards of an earlier version, and checks those that are added later', () => {
  const [functions, dashboards] = [['http://10.0.0.5/car'], ['http://10.0.0.5:8070']];
  const start = workstation(functions, dashboards);
  start().close();
  functions.push('http://10.0.0.6/later');
  const rule = start();
  expect(rule.settingsFor('http://10.0.0.5/car')).toBeUndefined();
  expect(rule.settingsFor('http://10.0.0.5:8070')).toBeUndefined();
  expect(rule.settingsFor('http://10.0.0.6/later')?.()).toMatchObject({ allowPrivateNetworks: false });
  expect(rule.invokerFor('http://10.0.0.5/car')).toBe(rule.free);
  expect(rule.invokerFor('http://10.0.0.6/later')).toBe(rule.checked);
  rule.close();
});
