import type { activityOperations } from '../../../../preload/contract/operations/activity.ts';
import type { serverOperations } from '../../../../preload/contract/operations/server.ts';
import type { CasesOf } from '../operation-case.ts';

export const serverCases: CasesOf<typeof serverOperations> = {
  about: { good: () => ({}), denied: 'everybody', takesAnything: true },
  health: { good: () => ({ query: { format: 'json' } }), denied: 'everybody', takesAnything: true },
  formats: { good: () => ({}), denied: 'everybody', takesAnything: true },
  formatOptions: { good: () => ({}), denied: 'everybody', takesAnything: true },
  plugins: { good: () => ({}), denied: 'everybody', takesAnything: true },
  share: {
    good: () => ({ query: { directory: '/' } }),
    denied: 'everybody',
    bad: () => [
      [404, { query: { directory: '/../..' } }],
      [404, { query: { directory: '/no such folder' } }],
    ],
  },
  login: {
    good: ({ admin, harness }) => ({ body: { username: admin.username, password: harness.password } }),
    denied: 'everybody',
    bad: ({ admin, harness }) => [
      [400, { body: { username: admin.username, password: 'wrong' } }],
      [400, { body: { username: 'nobody', password: harness.password } }],
      [400, { body: { password: harness.password } }],
    ],
  },
  logout: { caller: ({ leaver }) => leaver, good: () => ({}), denied: 'everybody', takesAnything: true },
  register: {
    good: ({ harness: { password } }) => ({ body: { username: 'somebody', password1: password, password2: password } }),
    denied: 'everybody',
    bad: ({ admin, harness: { password } }) => [
      [400, { body: { username: admin.username, password1: password, password2: password } }],
      [400, { body: { username: 'new one', password1: password, password2: 'another password' } }],
      [400, { body: { username: 'short', password1: 'short', password2: 'short' } }],
    ],
  },
  changePassword: {
    caller: ({ person }) => person,
    good: ({ harness: { password } }) => ({
      body: { old_password: password, new_password1: 'a better password', new_password2: 'a better password' },
    }),
    denied: 400,
    bad: () => [
      [400, { body: { old_password: 'wrong', new_password1: 'a better one', new_password2: 'a better one' } }],
    ],
  },
  listAccessTokens: { good: () => ({}), denied: 'sees less' },
  createAccessToken: {
    good: () => ({ body: { name: 'for a script', expiry_date: '2999-01-01T00:00:00Z' } }),
    denied: 'everybody',
    bad: () => [
      [400, { body: { name: '' } }],
      [400, { raw: { name: 'x', expiry_date: 'tomorrow' } }],
    ],
  },
  currentAccessToken: { caller: ({ program }) => program, good: () => ({}), denied: 404, takesAnything: true },
  getAccessToken: { good: async ({ newToken }) => ({ params: { id: (await newToken()).id } }) },
  updateAccessToken: {
    good: async ({ newToken }) => ({ params: { id: (await newToken()).id }, body: { name: 'renamed' } }),
    bad: () => [[400, { raw: { name: 7 } }]],
  },
  deleteAccessToken: { good: async ({ newToken }) => ({ params: { id: (await newToken()).id } }) },
  listUsers: { caller: ({ admin }) => admin, good: () => ({}), denied: 'sees less' },
  self: { good: () => ({}), denied: 'everybody', takesAnything: true },
  getUser: { good: ({ boss }) => ({ params: { id: boss.id } }) },
};

export const activityCases: CasesOf<typeof activityOperations> = {
  sendEvents: {
    good: () => ({
      body: {
        events: [{ scope: 'draw:object', timestamp: '2026-01-01T00:00:00Z' }],
        timestamp: '2026-01-01T00:00:01Z',
      },
    }),
    denied: 'everybody',
    bad: () => [[400, { raw: { events: [{ scope: '' }], timestamp: '2026-01-01T00:00:01Z' } }]],
  },
  exportEvents: {
    good: async ({ admin }) => {
      await admin.good('updateAnalytics', switchedOn);
      return { query: { from: '2026-01-01T00:00:00Z' } };
    },
    denied: 'everybody',
    bad: () => [
      [400, { query: { from: 'yesterday' } }],
      [400, { query: { task_id: 'one' } }],
    ],
  },
  getAnalytics: { good: () => ({}), denied: 'everybody', takesAnything: true },
  updateAnalytics: {
    caller: ({ admin }) => admin,
    good: () => switchedOn,
    bad: () => [[400, { raw: { enabled: 'perhaps' } }]],
  },
  getAnalyticsReport: {
    good: async ({ admin }) => {
      await admin.good('updateAnalytics', switchedOn);
      return { query: { from: '2026-01-01', to: '2026-01-31', time_zone: 'Europe/Berlin' } };
    },
    denied: 'everybody',
    bad: () => [
      [400, { query: { from: '2026-02-01', to: '2026-01-01' } }],
      [400, { query: { time_zone: 'Moon/Tranquillity' } }],
      [400, { query: { project_id: 'one' } }],
    ],
  },
};

const switchedOn = { body: { enabled: true } } as const;
