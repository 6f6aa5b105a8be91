import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { gitOperations } from '../../../../preload/contract/operations/git.ts';
import type { CasesOf } from '../operation-case.ts';
import type { OperationWorld } from '../operation-world.ts';

const nowhere = join(tmpdir(), 'no-such-folder', 'data.git');
const closed = 'ssh://git@127.0.0.1:9/data.git';

const bound = async ({ boss, newTask }: OperationWorld) => {
  const { id } = await newTask();
  await boss.good('bindTaskGit', { params: { id }, body: { address: nowhere } });
  return { params: { id } };
};
const boundProject = async ({ boss, project }: OperationWorld) => {
  const { id } = project;
  await boss.good('bindProjectGit', { params: { id }, body: { address: nowhere } });
  return { params: { id } };
};
/** A request about a bound resource whose repository does not answer. */
const ofBound = <Body>(bind: typeof bound, body: Body, goodStatus: number, ...bad: Body[]) => ({
  good: async (world: OperationWorld) => ({ ...(await bind(world)), body }),
  goodStatus,
  bad: () => bad.map((one): [number, { body: Body }] => [400, { body: one }]),
});
type Pull = { decisions?: { uid: string; version: string; decision: 'mine' }[]; copy?: 'take' };
const wrongDecision: Pull = { decisions: [{ uid: 'x', version: '', decision: 'ours' as 'mine' }] };
const pull = (bind: typeof bound) => ofBound<Pull>(bind, {}, 503, wrongDecision, { copy: 'both' as 'take' });
const push = (bind: typeof bound) => ofBound(bind, {}, 503, { message: 1 as unknown as string });
const restore = (bind: typeof bound) => ofBound(bind, { commit: '0'.repeat(40) }, 404, { commit: 'HEAD' });
const newKey = async ({ boss }: OperationWorld) => ({
  params: { id: (await boss.good('createSshKey', { body: { name: 'a key' } })).id },
});

export const gitCases: CasesOf<typeof gitOperations> = {
  listSshKeys: { good: () => ({}), denied: 'everybody', takesAnything: true },
  createSshKey: {
    good: () => ({ body: { name: 'a key' } }),
    denied: 'everybody',
    bad: () => [
      [400, { body: { name: ' ' } }],
      [400, { body: { name: 'a key', private_key: 'no key' } }],
    ],
  },
  deleteSshKey: { good: newKey, denied: 404 },
  getGitHost: {
    good: () => ({ query: { address: closed } }),
    goodStatus: 503,
    denied: 'everybody',
    bad: () => [
      [400, { query: { address: 'https://127.0.0.1/data.git' } }],
      [400, { query: { address: 'ssh://-oProxyCommand=x/data.git' } }],
      [400, { query: { address: nowhere } }],
    ],
  },
  confirmGitHost: {
    good: () => ({ body: { address: closed, fingerprint: 'SHA256:x' } }),
    goodStatus: 503,
    denied: 'everybody',
    bad: () => [[400, { body: { address: 'relative', fingerprint: 'SHA256:x' } }]],
  },
  getTaskGit: { good: bound },
  bindTaskGit: {
    good: ({ task }) => ({
      params: { id: task.id },
      body: { address: nowhere, branch: 'main', folder: 'a/b', format: 'COCO 1.0' },
    }),
    bad: () => [
      [400, { body: { address: 'file:///data.git' } }],
      [400, { body: { address: nowhere, branch: '-x' } }],
      [400, { body: { address: nowhere, branch: 'a..b' } }],
      [400, { body: { address: nowhere, folder: '../elsewhere' } }],
      [400, { body: { address: nowhere, folder: 'a/.git/hooks' } }],
      [400, { body: { address: nowhere, format: 'No such format' } }],
    ],
  },
  unbindTaskGit: { good: bound },
  pullTaskGit: pull(bound),
  pushTaskGit: push(bound),
  getTaskGitHistory: { good: bound },
  restoreTaskGit: restore(bound),
  getProjectGit: { good: boundProject },
  bindProjectGit: {
    good: ({ project }) => ({ params: { id: project.id }, body: { address: nowhere, folder: 'a/b' } }),
    bad: () => [
      [400, { body: { address: 'relative' } }],
      [400, { body: { address: nowhere, format: 'No such format' } }],
    ],
  },
  unbindProjectGit: { good: boundProject },
  pullProjectGit: pull(boundProject),
  pushProjectGit: push(boundProject),
  getProjectGitHistory: { good: boundProject },
  restoreProjectGit: restore(boundProject),
};
