import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import type { Demand } from '../../policy/demands.ts';
import type { EngineFacts } from './engine.ts';
import { functionNetwork } from './network.ts';

/** Granting it lets a function have a port by the Engine's own network, where nothing else leads to it. */
export const openNetworkGrant = `network:${functionNetwork}`;

/**
 * How calls come to a function: over its link, so that it has no network at all, or by a port of the Engine's. Only
 * Limner's own runtime dials, and only sockets of its own kernel.
 */
export function reachOf(
  { security }: Pick<FunctionConfiguration, 'security'>,
  hasRuntime: boolean,
  { sharesKernel }: Pick<EngineFacts, 'sharesKernel'>,
): 'link' | 'port' {
  return security.network === '' && hasRuntime && sharesKernel ? 'link' : 'port';
}

/** What has to be granted where a function can only be called through a network that it does not ask for itself. */
export function reachDemands(
  configuration: Pick<FunctionConfiguration, 'security'>,
  hasRuntime: boolean,
  facts: Pick<EngineFacts, 'sharesKernel'>,
): Demand[] {
  if (configuration.security.network !== '' || reachOf(configuration, hasRuntime, facts) === 'link') return [];
  const because = hasRuntime
    ? 'the Engine runs it on another system than this one'
    : 'its image has a server of its own, which only a network leads to';
  return [
    {
      id: openNetworkGrant,
      words: `Reach what other programs of this computer offer to its networks: ${because}.`,
    },
  ];
}
