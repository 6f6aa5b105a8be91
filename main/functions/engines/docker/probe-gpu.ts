import type Docker from 'dockerode';
import { AppError } from '../../../platform/errors.ts';
import { deviceRequests } from './container-options.ts';
import type { EngineFacts } from './engine.ts';
import { CommandMissing, startProblem } from './start-problem.ts';

/**
 * Starts a container with all GPUs and removes it. This is the only reliable test for NVIDIA tools in Docker. It does
 * not matter that the container's program does not exist.
 */
export async function probeGpu(
  docker: Docker,
  { cdiCards }: Pick<EngineFacts, 'cdiCards'>,
  image?: string,
): Promise<typeof works> {
  const name = image ?? (await anyImage(docker));
  const container = await docker.createContainer({
    Image: name,
    Cmd: ['/limner-probe'],
    Labels: { 'app.limner.probe': 'gpu' },
    HostConfig: { DeviceRequests: deviceRequests(-1, cdiCards), NetworkMode: 'none', CapDrop: ['ALL'] },
  });
  try {
    await container.start();
    return works;
  } catch (error) {
    const problem = startProblem('The test container', error);
    // The image does not contain the program, which Docker finds out after it has provided the GPUs.
    return problem instanceof CommandMissing ? works : { works: false, message: problem.message };
  } finally {
    await container.remove({ force: true }).catch(() => undefined);
  }
}

const works = { works: true, message: 'Docker can use the GPUs.' };

async function anyImage(docker: Docker): Promise<string> {
  const images = await docker.listImages();
  const [smallest] = images.toSorted((a, b) => a.Size - b.Size);
  if (smallest) return smallest.Id;
  throw new AppError('invalid', 'The test needs an image, but Docker has none. Build a base image first.');
}
