import type Docker from 'dockerode';
import { AppError } from '../../../platform/errors.ts';
import { statusOf, unlessAnswered } from './engine-problem.ts';

/**
 * Network of functions. Their ports can be published on this computer, they cannot reach each other, and without NAT
 * they cannot reach the internet.
 */
export const functionNetwork = 'limner-functions';

export async function ensureNetwork(docker: Docker): Promise<void> {
  if ((await unlessAnswered([404], () => docker.getNetwork(functionNetwork).inspect())) !== null) return;
  try {
    await docker.createNetwork({
      Name: functionNetwork,
      Driver: 'bridge',
      CheckDuplicate: true,
      Labels: { 'app.limner.network': 'functions' },
      Options: {
        'com.docker.network.bridge.enable_ip_masquerade': 'false',
        'com.docker.network.bridge.enable_icc': 'false',
      },
    });
  } catch (error) {
    if (/address pool/i.test(String(error))) {
      const message =
        'Docker has no address range left for the network of functions. Remove unused networks ' +
        'with "docker network prune", and deploy again.';
      throw new AppError('unavailable', message, undefined, { cause: error });
    }
    // Another process created the network at the same time.
    if (statusOf(error) !== 409) throw error;
  }
}
