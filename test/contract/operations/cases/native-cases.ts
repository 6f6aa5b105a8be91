import type { NativeFunctionWrite } from '../../../../preload/contract/schema/native-functions.ts';
import type { nativeOperations } from '../../../../preload/contract/operations/native-functions.ts';
import type { CasesOf, OperationCase } from '../operation-case.ts';
import type { OperationWorld } from '../operation-world.ts';

const byAdmin = { caller: ({ admin }: OperationWorld) => admin } as const satisfies Partial<
  OperationCase<'getNativeFunction'>
>;
const finder: NativeFunctionWrite = {
  provider: 'native',
  name: 'finds cars',
  visibility: 'private',
  kind: 'detector',
  labels_v2: [{ name: 'car', type: 'any', attributes: [] }],
};
const agent = { agent_id: 'an agent' };

const added = async ({ admin }: OperationWorld): Promise<number> =>
  (await admin.good('createNativeFunction', { body: finder })).id;

async function waiting(world: OperationWorld): Promise<string> {
  const { admin } = world;
  const id = await added(world);
  const { id: task } = await world.newTask();
  await admin.good('createBatch', { body: { function: `native:${id}`, targets: [{ task }] } });
  for (;;) {
    const { agents } = await admin.good('getModel', { params: { name: `native:${id}` } });
    if ((agents?.waiting_count ?? 0) > 0) return `function:${id}`;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const acquire = { ...agent, request_category: 'batch' } as const;

async function taken(world: OperationWorld): Promise<{ queue_id: string; request_id: string }> {
  const queue = await waiting(world);
  const { ar_assignment: assignment } = await world.admin.good('acquireAgentRequest', {
    params: { queue_id: queue },
    body: acquire,
  });
  return { queue_id: queue, request_id: assignment?.ar_id ?? '' };
}

export const nativeCases: CasesOf<typeof nativeOperations> = {
  createNativeFunction: {
    ...byAdmin,
    good: () => ({ body: finder }),
    bad: () => [
      [400, { raw: { ...finder, provider: 'other' } }],
      [400, { raw: { ...finder, kind: 'reid' } }],
      [400, { raw: { ...finder, labels_v2: undefined } }],
      [400, { raw: { ...finder, labels_v2: [{ name: 'car' }, { name: 'car' }] } }],
      [400, { raw: { ...finder, kind: 'tracker' } }],
    ],
  },
  getNativeFunction: { ...byAdmin, good: async (world) => ({ params: { id: await added(world) } }) },
  deleteNativeFunction: { ...byAdmin, good: async (world) => ({ params: { id: await added(world) } }) },
  acquireAgentRequest: {
    ...byAdmin,
    good: async (world) => ({ params: { queue_id: await waiting(world) }, body: acquire }),
    bad: () => [[400, { raw: { ...agent, request_category: 'whenever' } }]],
  },
  updateAgentRequest: {
    ...byAdmin,
    good: async (world) => ({ params: await taken(world), body: { ...agent, progress: 0.5 } }),
    bad: () => [
      [400, { raw: { ...agent, progress: 2 } }],
      [409, { body: { agent_id: 'another', progress: 0.5 } }],
    ],
  },
  completeAgentRequest: {
    ...byAdmin,
    good: async (world) => ({ params: await taken(world), body: { ...agent, annotations: { tags: [], shapes: [] } } }),
    bad: () => [
      // Tracker states are not valid for an `annotate_frame` request.
      [400, { body: { ...agent, states: [] } }],
      [409, { body: { agent_id: 'another', annotations: {} } }],
    ],
  },
  failAgentRequest: {
    ...byAdmin,
    good: async (world) => ({ params: await taken(world), body: { ...agent, exc_info: 'The card is gone' } }),
    bad: () => [[409, { body: { agent_id: 'another', exc_info: '' } }]],
  },
};
