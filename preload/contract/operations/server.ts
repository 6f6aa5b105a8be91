import { z } from 'zod';
import { equalTo } from '../schema/common.ts';
import { formatOptionsSchema } from '../schema/formats.ts';
import * as server from '../schema/server.ts';
import { collection, operation } from '../operation.ts';

const tokens = collection('/api/auth/access_tokens', server.accessTokenSchema);
const users = collection('/api/users', server.visibleUserSchema);
export const serverOperations = {
  about: operation.get('/api/server/about', 'Name and version of the service', {
    open: true,
    output: server.aboutSchema,
  }),
  health: operation.get('/api/server/health/', 'State of the store and the data directory', {
    open: true,
    query: z.object({ format: z.string().optional() }),
    output: z.record(z.string(), z.string()),
  }),
  formats: operation.get('/api/server/annotation/formats', 'Registered importers and exporters', {
    output: server.datasetFormatsSchema,
  }),
  /** Limner extension, because CVAT's list of formats has no options. */
  formatOptions: operation.get('/api/limner/formats', 'Options of each format, and plug-ins that cannot be used', {
    output: formatOptionsSchema,
  }),
  plugins: operation.get('/api/server/plugins', 'Enabled optional parts', {
    output: server.pluginsSchema,
  }),
  share: operation.get('/api/server/share', 'Files and folders below the share folder', {
    query: z.object({ directory: z.string().default('/'), search: z.string().default('') }),
    output: z.array(server.shareEntrySchema),
  }),
  login: operation.post('/api/auth/login', 'Sign in: returns a token and sets the session cookies', {
    status: 200,
    open: true,
    body: server.loginSchema,
    output: server.keySchema,
  }),
  logout: operation.post('/api/auth/logout', 'Sign out: ends the session and deletes the token', {
    status: 200,
    output: server.detailSchema,
  }),
  register: operation.post('/api/auth/register', 'Add a local user', {
    open: true,
    body: server.registerSchema,
    output: server.registeredSchema,
  }),
  changePassword: operation.post('/api/auth/password/change', 'Change your password', {
    status: 200,
    body: server.passwordChangeSchema,
    output: server.detailSchema,
  }),
  listAccessTokens: tokens.list('Your access tokens', equalTo('name', 'read_only')),
  createAccessToken: operation.post(
    '/api/auth/access_tokens',
    'Create an access token; only this answer contains its value',
    {
      body: server.accessTokenWriteSchema,
      output: server.newAccessTokenSchema,
    },
  ),
  currentAccessToken: operation.get('/api/auth/access_tokens/self', 'The access token in use', {
    output: server.accessTokenSchema,
  }),
  getAccessToken: tokens.get('Access token'),
  updateAccessToken: tokens.update(
    'Rename an access token or change its expiry',
    server.accessTokenWriteSchema.omit({ read_only: true }).extend({ read_only: z.boolean() }).partial(),
  ),
  deleteAccessToken: tokens.delete('Revoke an access token'),
  listUsers: users.list('Users that you can see', equalTo('username', 'first_name', 'last_name', 'is_active')),
  self: operation.get('/api/users/self', 'The signed-in user', { output: server.userSchema }),
  getUser: users.get('One user'),
} as const;
