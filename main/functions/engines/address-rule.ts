import type { AddressSettings } from '../../platform/network/address-policy.ts';
import type { FunctionRepository } from '../records/function-repository.ts';
import { createInvoker, type Invoker } from './invoke.ts';

export type AddressRule = ReturnType<typeof createAddressRule>;

/**
 * Addresses of functions, dashboards and chat endpoints follow the address policy. Those of functions and dashboards
 * that were added before this rule existed are recorded at the first start with it, and stay allowed.
 */
export function createAddressRule(
  repository: Pick<FunctionRepository, 'setting' | 'list' | 'dashboards'>,
  addressSettings: () => AddressSettings,
) {
  const recorded = repository.setting('addresses_before_policy', () => {
    const functions = repository.list().flatMap(({ provider, address }) => (provider === 'url' ? (address ?? []) : []));
    return JSON.stringify([...functions, ...repository.dashboards.list().map(({ url }) => url)]);
  });
  const known: ReadonlySet<unknown> = new Set(JSON.parse(recorded) as unknown[]);
  const free = createInvoker();
  const checked = createInvoker(addressSettings);
  return {
    /** For containers, whose addresses users do not enter. */
    free,
    checked,
    invokerFor: (url: string): Invoker => (known.has(url) ? free : checked),
    /** Undefined for an address that was recorded. */
    settingsFor: (url: string): (() => AddressSettings) | undefined =>
      known.has(url) ? undefined : () => ({ ...addressSettings(), target: 'model server' }),
    close(): void {
      free.close();
      checked.close();
    },
  };
}
