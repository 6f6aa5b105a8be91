import type { AddressSettings } from '../../platform/network/address-policy.ts';
import { AddressRefused, guardedLookup } from '../../platform/network/guarded-connector.ts';
import { invalidField } from '../../platform/errors.ts';
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
  const settingsFor = (url: string): (() => AddressSettings) | undefined =>
    known.has(url) ? undefined : () => ({ ...addressSettings(), target: 'model server' });
  return {
    /** For containers, whose addresses users do not enter. */
    free,
    checked,
    invokerFor: (url: string): Invoker => (known.has(url) ? free : checked),
    /** Undefined for an address that was recorded. */
    settingsFor,
    /**
     * Checks an address before it is stored. A name without an address now is checked when it is called.
     * @throws AppError `invalid`
     */
    async requireAllowed(url: string): Promise<void> {
      const settings = settingsFor(url);
      if (settings === undefined) return;
      const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
      const { promise, resolve } = Promise.withResolvers<Error | null>();
      guardedLookup(settings)(host, { all: true }, resolve);
      const refusal = await promise;
      if (refusal instanceof AddressRefused) throw invalidField('url', `Cannot add ${url}: ${refusal.message}`);
    },
    close(): void {
      free.close();
      checked.close();
    },
  };
}
