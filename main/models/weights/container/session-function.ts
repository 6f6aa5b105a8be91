import { join } from 'node:path';
import { stringify } from 'yaml';
import type { WeightsContainer } from '../../../../preload/contract/schema/weights.ts';
import type { DeployRequest } from '../../../../preload/contract/schema/functions.ts';
import { createDurableFiles } from '../../../platform/durable-files.ts';
import { defined } from '../../../platform/defined.ts';

const readinessSeconds = 300;
/** As long as a run here may take. */
const runSeconds = 120;
/** A picture of 8192 × 8192 in numbers of 32 bits. */
const maxBodyBytes = 1024 ** 3;

interface SessionFunction {
  readonly name: string;
  readonly fileName: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** With the files of the model. */
  readonly folder: string;
  readonly runtimesDirectory: string;
  readonly container: WeightsContainer;
}

/** Puts a handler beside the files of a model, which runs them over tensors, and answers how it is deployed. */
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
