import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploySchema } from '../../../preload/contract/schema/functions.ts';
import { createDockerHarness, nodeBase, type DockerHarness } from '../../support/functions/docker-harness.ts';
import { createOwnEngine, withSocket } from '../../support/functions/test-engine.ts';

let processes = '';
/** `nvidia-smi` on a computer with two GPUs. */
const twoCards = async ([question = '']: readonly string[]) => {
  if (question.includes('--query-compute-apps')) return processes;
  return question.includes('--query-gpu') ? '0, GPU-small, Small card, 8000\n1, GPU-large, Large card, 24000\n' : '';
};
const wantsCard = '  resources:\n    limits:\n      nvidia.com/gpu: 1';

describe.each([
  ['with NVIDIA tools in the Engine', true],
  ['without them', false],
])('an Engine %s', (_what, nvidia) => {
  const engine = createOwnEngine({ nvidia });
  let harness: DockerHarness;
  beforeAll(async () => {
    await engine.start();
    harness = await withSocket(engine.socket, () => createDockerHarness({ nvidiaSmi: twoCards }));
    await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'node' });
  });
  afterAll(async () => {
    await harness?.dispose();
    await engine.dispose();
  });

  const request = (name: string, spec: string, more: object = {}) => ({
    directory: harness.handlerFolder({ name, spec }),
    base_image: nodeBase,
    ...more,
  });

  if (!nvidia) {
    test('a function that needs a GPU fails with a sentence, and leaves nothing behind', async () => {
      const failed = await harness.deploy(request('no-cards', wantsCard));
      expect(failed.state).toBe('error');
      expect(failed.message).toMatch(/cannot provide GPUs: the NVIDIA Container Toolkit is not installed/);
      expect(await harness.containers()).toEqual([]);
      expect(await harness.docker.listImages({ filters: { reference: ['limner-function/no-cards'] } })).toEqual([]);
    });
    test('the probe reports the same', async () => {
      const probe = await harness.core.functions.service.probeGpu(harness.admin);
      expect(probe).toMatchObject({ works: false, message: expect.stringContaining('NVIDIA Container Toolkit') });
      expect(await harness.docker.listContainers({ all: true })).toEqual([]);
    });
    return;
  }

  test('the probe container proves that GPUs are available', async () => {
    expect(await harness.core.functions.service.probeGpu(harness.admin)).toMatchObject({ works: true });
    expect(await harness.docker.listContainers({ all: true })).toEqual([]);
  });

  test('a function gets the GPU with the most free memory, by its id, and one worker', async () => {
    const deployed = await harness.deploy(request('one-card', wantsCard, { gpu_memory_mib: 9000 }));
    expect(deployed).toMatchObject({
      state: 'ready',
      workers: 1,
      gpu: { count: 1, devices: ['GPU-large'], declared_mib: 9000 },
    });
    expect((await (await harness.container('one-card')).inspect()).HostConfig.DeviceRequests).toEqual([
      expect.objectContaining({ Driver: 'nvidia', DeviceIDs: ['GPU-large'], Capabilities: [['gpu']] }),
    ]);
    expect((await harness.call('one-card', { do: 'environment' })).body).toMatchObject({
      NVIDIA_VISIBLE_DEVICES: 'GPU-large',
    });
  });

  test('its numbers include the GPU memory of its processes over time', async () => {
    const { Processes, Titles } = await (await harness.container('one-card')).top();
    const ids = Processes.map((row: string[]) => Number(row[Titles.indexOf('PID')]));
    expect(ids).toHaveLength(2);
    processes = [`GPU-large, ${ids[0]}, 300`, `GPU-large, ${ids[1]}, 1200`, 'GPU-large, 1, 5000'].join('\n');
    await harness.core.functions.runtimes.sweep();
    processes = '';
    const { points } = harness.core.functions.service.numbers(harness.admin, 'one-card', { hours: 1 });
    expect(Math.max(...points.map((point) => point.gpu_memory_bytes ?? 0))).toBe(1500 * 2 ** 20);
  });

  test('refuses a need that no GPU can satisfy, with the numbers, and accepts one that fits the other GPU', async () => {
    const { service } = harness.core.functions;
    await expect(
      service.deploy(harness.admin, deploySchema.parse(request('too-much', wantsCard, { gpu_memory_mib: 22_000 }))),
    ).rejects.toThrow(/needs 22000 MiB.*more than available even if nothing else runs.*Large card\): 21600 MiB/);
    const small = await harness.deploy(
      request('named', '  resources:\n    limits:\n      nvidia.com/gpu: device=0', { gpu_memory_mib: 7000 }),
    );
    expect(small).toMatchObject({ state: 'ready', gpu: { devices: ['GPU-small'] } });
    const status = await service.engineStatus(harness.admin);
    expect(status.gpus).toEqual([
      expect.objectContaining({ index: 0, usable_mib: 7200, used_mib: 7000, functions: ['named'] }),
      expect.objectContaining({ index: 1, usable_mib: 21_600, used_mib: 9000, functions: ['one-card'] }),
    ]);
  });

  test('a deployed or called function replaces an idle one on its GPU', async () => {
    const { service } = harness.core.functions;
    await harness.deploy(request('resting', wantsCard, { gpu_memory_mib: 15_000 }));
    expect(harness.function('resting').gpu.devices).toEqual(['GPU-large']);
    expect(harness.function('one-card').state).toBe('scaledToZero');
    await service.update(harness.admin, 'one-card', { state: 'ready' });
    expect(harness.function('one-card').state).toBe('ready');
    expect(harness.function('resting').state).toBe('scaledToZero');
    expect(harness.function('named').state).toBe('ready');
    expect((await harness.call('one-card', {})).status).toBe(200);
  });

  test('a new version runs beside the previous one if the GPU has memory for both', async () => {
    await harness.deploy(request('versions', wantsCard, { gpu_memory_mib: 5000 }));
    const next = await harness.deploy(request('versions', wantsCard, { gpu_memory_mib: 6000 }));
    expect(next).toMatchObject({ state: 'ready', version: 2 });
    expect(await harness.log('versions')).toMatch(/Started next to the previous version/);
    const large = await harness.deploy(request('versions', wantsCard, { gpu_memory_mib: 20_000 }));
    expect(large).toMatchObject({ state: 'ready', version: 3 });
    expect(await harness.log('versions')).toMatch(/The previous container is stopped and kept/);
  });

  test('a GPU by an option means one worker, whatever the configuration says', async () => {
    const spec = '  triggers:\n    http:\n      kind: http\n      maxWorkers: 2';
    const deployed = await harness.deploy(request('by-option', spec, { resource_limits: { 'nvidia.com/gpu': '1' } }));
    expect(deployed).toMatchObject({ state: 'ready', workers: 1 });
    expect(deployed.warnings.join(' ')).toMatch(/one worker runs instead of 2.*not known yet/s);
  });
});

describe('an Engine whose GPUs cannot be listed', () => {
  const engine = createOwnEngine({ nvidia: true });
  let harness: DockerHarness;
  beforeAll(async () => {
    await engine.start();
    harness = await withSocket(engine.socket, () =>
      createDockerHarness({ nvidiaSmi: () => Promise.reject(new Error('ENOENT')) }),
    );
    await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'node' });
  });
  afterAll(async () => {
    await harness?.dispose();
    await engine.dispose();
  });

  test('nvidia.com/gpu: 1 requests one GPU, and the Engine names it', async () => {
    expect(await harness.deployHandler({ name: 'counted', spec: wantsCard })).toMatchObject({ state: 'ready' });
    const { HostConfig } = await (await harness.container('counted')).inspect();
    expect(HostConfig.DeviceRequests).toEqual([
      expect.objectContaining({ Driver: 'nvidia', Count: 1, Capabilities: [['gpu']] }),
    ]);
    expect((await harness.call('counted', { do: 'environment' })).body).toMatchObject({ NVIDIA_VISIBLE_DEVICES: '0' });
  });
});
