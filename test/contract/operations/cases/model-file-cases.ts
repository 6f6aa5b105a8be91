import { join } from 'node:path';
import { makeImage } from '../../../support/images.ts';
import type { modelFileOperations } from '../../../../preload/contract/operations/model-files.ts';
import type { CasesOf, OperationCase } from '../operation-case.ts';
import type { OperationWorld } from '../operation-world.ts';
import { startInferenceServer } from '../../../support/inference-server.ts';
import { squareFinder, writeModel } from '../../../support/onnx/square-finder.ts';
import type { ModelDescription } from '../../../../preload/contract/schema/model-files.ts';

const byAdmin = { caller: ({ admin }: OperationWorld) => admin } as const satisfies Partial<
  OperationCase<'listModels'>
>;

const fileIn = ({ harness }: OperationWorld, name = 'squares.onnx'): string =>
  writeModel(join(harness.folder, name), squareFinder());

async function looked(world: OperationWorld): Promise<{ id: string; description: ModelDescription }> {
  const { id, description } = await world.admin.good('inspectModelFile', { body: { path: fileIn(world) } });
  if (description === null) throw new Error('The model was not recognised.');
  return { id, description };
}

let count = 0;
async function added(world: OperationWorld): Promise<string> {
  const name = `squares-${(count += 1)}`;
  await world.admin.good('addModelFile', { body: { ...(await looked(world)), name } });
  return name;
}

export const modelFileCases: CasesOf<typeof modelFileOperations> = {
  inspectModelFile: {
    ...byAdmin,
    good: (world) => ({ body: { path: fileIn(world) } }),
    bad: () => [
      [400, { body: { path: '' } }],
      [400, { body: { path: '/no/such/model.onnx' } }],
    ],
  },
  inspectModelServer: {
    ...byAdmin,
    good: async () => ({ body: { url: (await startInferenceServer('squares', squareFinder(), true)).model } }),
    bad: () => [
      [400, { body: { url: 'http://127.0.0.1:9/' } }],
      [400, { raw: { url: 'ftp://127.0.0.1/v2/models/x' } }],
    ],
  },
  tryModelFile: {
    ...byAdmin,
    good: async (world) => ({ body: { ...(await looked(world)), image: (await makeImage()).toString('base64') } }),
    bad: () => [[400, { raw: { id: 7 } }]],
  },
  addModelFile: {
    ...byAdmin,
    good: async (world) => ({ body: { ...(await looked(world)), name: `squares-${(count += 1)}` } }),
    bad: () => [[400, { raw: { name: 'x' } }]],
  },
  getModelFile: { ...byAdmin, denied: 'everybody', good: async (world) => ({ params: { name: await added(world) } }) },
  updateModelFile: {
    ...byAdmin,
    good: async (world) => {
      const name = await added(world);
      const { description } = await world.admin.good('getModelFile', { params: { name } });
      return { params: { name }, body: { description: { ...description, threshold: 0.5 } } };
    },
    bad: () => [[400, { raw: { description: {} } }]],
  },
  setDecoder: {
    ...byAdmin,
    good: async (world) => ({ params: { name: await world.newEndpoint() }, body: { id: (await looked(world)).id } }),
    goodStatus: 400,
    bad: () => [[400, { raw: {} }]],
  },
};
