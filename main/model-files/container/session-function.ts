import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ModelContainer } from '../../../preload/contract/schema/model-files.ts';
import type { DeployRequest } from '../../../preload/contract/schema/functions.ts';
import { createDurableFiles } from '../../platform/durable-files.ts';
import { defined } from '../../platform/defined.ts';

const readinessSeconds = 300;
/** Same timeout as for a local process. */
const runSeconds = 120;
/** An image of 8192 × 8192 as 32-bit numbers. */
const maxBodyBytes = 1024 ** 3;

interface SessionFunction {
  readonly name: string;
  readonly fileName: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly runtimesDirectory: string;
  readonly container: ModelContainer;
}

/** Writes a handler that runs tensors next to the model files. Returns the deployment request. */
export async function sessionFunction(input: SessionFunction): Promise<DeployRequest> {
  const { name, fileName, annotations, folder, runtimesDirectory, container } = input;
  const files = createDurableFiles();
  await files.copy(join(runtimesDirectory, 'onnx', 'handler.py'), join(folder, 'main.py'));
  const configuration = stringify({
    metadata: { name, annotations: { ...annotations } },
    spec: {
      description: fileName,
      runtime: 'python:3',
      handler: 'main:handler',
      eventTimeout: `${runSeconds}s`,
      readinessTimeoutSeconds: readinessSeconds,
      triggers: { http: { kind: 'http', attributes: { maxRequestBodySize: maxBodyBytes } } },
    },
  });
  await files.write(join(folder, 'function.yaml'), configuration);
  await files.sync();
  return {
    configuration,
    directory: folder,
    way: 'handler',
    base_image: container.base_image,
    env: [],
    volumes: [],
    resource_limits: container.resource_limits,
    ...defined({
      workers: container.workers,
      gpu_memory_mib: container.gpu_memory_mib,
      idle_stop_seconds: container.idle_stop_seconds,
    }),
    grants: [],
  };
}
