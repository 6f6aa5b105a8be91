import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import type { Permission } from '../../policy/permissions.ts';
import type { EngineFacts } from './engine.ts';
import { functionNetwork } from './network.ts';

/** Permission for a port on Docker's own network, required if there is no other way to call the function. */
export const openNetworkGrant = `network:${functionNetwork}`;

/**
 * Selects how a function is called: over its link without any network, or by a Docker port. Links need Limner's runtime
 * and a shared kernel.
 */
export function reachOf(
  { security }: Pick<FunctionConfiguration, 'security'>,
  hasRuntime: boolean,
  { sharesKernel }: Pick<EngineFacts, 'sharesKernel'>,
): 'link' | 'port' {
  return security.network === '' && hasRuntime && sharesKernel ? 'link' : 'port';
}

/** Permissions for a function that can only be called over a network that its configuration does not request. */
export function reachPermissions(
  configuration: Pick<FunctionConfiguration, 'security'>,
  hasRuntime: boolean,
  facts: Pick<EngineFacts, 'sharesKernel'>,
): Permission[] {
  if (configuration.security.network !== '' || reachOf(configuration, hasRuntime, facts) === 'link') return [];
  const because = hasRuntime
    ? 'Docker runs it on another system'
    : 'its image contains its own server, which needs a network';
  return [
    {
      id: openNetworkGrant,
      message: `Access services of other programs on this computer's networks: ${because}.`,
    },
  ];
}
