import { AppError } from '../../../platform/errors.ts';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import type { Permission } from '../../policy/permissions.ts';
import type { EngineFacts } from './engine.ts';
import { functionNetwork } from './network.ts';

/** Permission for a port on Docker's own network, required if there is no other way to call the function. */
export const openNetworkGrant = `network:${functionNetwork}`;

type Facts = Pick<EngineFacts, 'sharesKernel' | 'isRemote'>;

/**
 * Selects how a function is called: over its link without any network, or by a Docker port. Links need Limner's runtime,
 * and a shared kernel or, on another computer, `docker exec`.
 */
export function reachOf(
  { security }: Pick<FunctionConfiguration, 'security'>,
  hasRuntime: boolean,
  { sharesKernel, isRemote }: Facts,
): 'link' | 'port' {
  return security.network === '' && hasRuntime && (sharesKernel || isRemote) ? 'link' : 'port';
}

/** @throws AppError for what another computer cannot provide without a network or this computer's folders */
function requireRemote(
  { name, security, volumes }: Pick<FunctionConfiguration, 'name' | 'security' | 'volumes'>,
  hasRuntime: boolean,
): void {
  const refuse = (reason: string, remedy: string) =>
    new AppError('invalid', `Cannot deploy "${name}" on the Engine of another computer: ${reason}. ${remedy}`);
  const local = 'Deploy it on the Engine "default", that of this computer.';
  if (security.network !== '')
    throw refuse(`it needs the network "${security.network}", and functions there have none`, local);
  if (!hasRuntime) throw refuse('its image contains its own server, which needs a network', local);
  if (volumes.length > 0)
    throw refuse(
      'its volumes are folders of this computer',
      'Put the files into the folder of the function or into its image.',
    );
}

/**
 * Permissions for a function that can only be called over a network that its configuration does not request.
 * @throws AppError 400 for a function that the Engine of another computer cannot run
 */
export function reachPermissions(
  configuration: Pick<FunctionConfiguration, 'name' | 'security' | 'volumes'>,
  hasRuntime: boolean,
  facts: Facts,
): Permission[] {
  if (facts.isRemote) requireRemote(configuration, hasRuntime);
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
