import type { remoteOperations } from '../../../../preload/contract/operations/remotes.ts';
import type { CasesOf } from '../operation-case.ts';
import type { OperationWorld } from '../operation-world.ts';

/** The service itself plays the CVAT server. */
const connection = async ({ boss, newToken }: OperationWorld) => {
  const { id, value: token } = await newToken();
  return { name: `server ${id}`, address: boss.rest.baseUrl, token };
};
const connected = async (world: OperationWorld) => {
  const { id } = await world.boss.good('createRemoteServer', { body: await connection(world) });
  return { params: { id } };
};
/** A checked out job of a new task. */
const followed = async (world: OperationWorld) => {
  const { boss, newTask, jobOf } = world;
  const { params } = await connected(world);
  const body = { kind: 'job' as const, id: (await jobOf(await newTask())).id, budget_bytes: 1e9 };
  await boss.rest.finished((await boss.good('checkOutRemote', { params, body })).rq_id);
  const { results } = await boss.good('listRemoteJobs', { query: { server_id: String(params.id) } });
  return { params: { id: results[0]!.id } };
};

export const remoteCases: CasesOf<typeof remoteOperations> = {
  listRemoteServers: { good: () => ({}), denied: 'everybody', takesAnything: true },
  createRemoteServer: {
    good: async (world) => ({ body: await connection(world) }),
    denied: 'everybody',
    bad: () => [
      [400, { body: { name: ' ', address: 'http://127.0.0.1:9', token: 'x' } }],
      [400, { body: { name: 'a server', address: 'no address', token: 'x' } }],
      [400, { body: { name: 'a server', address: 'http://127.0.0.1:9', token: 'x', certificate: 'none' } }],
      [409, { body: { name: 'a server', address: 'http://169.254.169.254', token: 'x' } }],
      [503, { body: { name: 'a server', address: 'http://127.0.0.1:9', token: 'x' } }],
    ],
  },
  updateRemoteServer: {
    good: async (world) => ({ ...(await connected(world)), body: { name: 'renamed' } }),
    denied: 404,
    bad: () => [
      [400, { body: { name: '' } }],
      [400, { body: { address: 'http://127.0.0.1:9' } }],
    ],
  },
  deleteRemoteServer: { good: connected, denied: 404 },
  checkRemoteServer: { good: connected, denied: 404 },
  browseRemoteServer: {
    good: async (world) => ({ ...(await connected(world)), query: { kind: 'job' as const } }),
    denied: 404,
    bad: () => [
      [400, { query: { kind: 'label' as 'job' } }],
      [400, { query: { kind: 'job', page: '0' } }],
    ],
  },
  checkOutRemote: {
    good: async (world) => ({
      ...(await connected(world)),
      body: { kind: 'task', id: world.task.id, budget_bytes: 1e9 },
    }),
    denied: 404,
    bad: () => [
      [400, { body: { kind: 'task', id: 0, budget_bytes: 1 } }],
      [400, { body: { kind: 'task', id: 1, budget_bytes: 0 } }],
    ],
  },
  publishToRemote: {
    good: async (world) => ({ ...(await connected(world)), body: { kind: 'task', id: (await world.newTask()).id } }),
    denied: 404,
    bad: () => [
      [400, { body: { kind: 'job' as 'task', id: 1 } }],
      [404, { body: { kind: 'task', id: 987_654 } }],
    ],
  },
  listRemoteJobs: {
    good: () => ({}),
    denied: 'everybody',
    bad: () => [[400, { query: { server_id: 'x' } }]],
  },
  compareRemoteJob: { good: followed, denied: 404 },
  pullRemoteJob: {
    good: async (world) => ({ ...(await followed(world)), body: {} }),
    denied: 404,
    bad: () => [[400, { body: { decisions: [{ uid: 'x', version: '', decision: 'ours' as 'mine' }] } }]],
  },
  pushRemoteJob: {
    good: async (world) => ({ ...(await followed(world)), body: {} }),
    denied: 404,
    bad: () => [[400, { body: { dry_run: 'yes' as unknown as boolean } }]],
  },
  getRemoteResult: {
    good: async (world) => {
      const { boss } = world;
      const { rq_id: id } = await boss.good('pullRemoteJob', { ...(await followed(world)), body: {} });
      await boss.rest.finished(id);
      return { params: { id } };
    },
    bad: () => [[404, { params: { id: 'none' } }]],
  },
  deleteRemoteJob: { good: followed, denied: 404 },
};
