import type { z } from 'zod';
import type { serverOperations } from '../../../preload/contract/operations/server.ts';
import type { FormatOptions } from '../../../preload/contract/schema/formats.ts';
import type { DatasetFormats, pluginsSchema, shareEntrySchema } from '../../../preload/contract/schema/server.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { SignIn } from '../../users/sign-in.ts';
import { AppError } from '../../platform/errors.ts';
import type { HandlersOf } from '../handler.ts';
import { clearSessionCookies, setSessionCookies } from '../authentication.ts';
import { listHandler } from '../paging.ts';
import { serviceVersion } from '../versioning.ts';

type ShareEntry = z.output<typeof shareEntrySchema>;

export interface ServerPorts {
  readonly formats: () => DatasetFormats | Promise<DatasetFormats>;
  readonly formatOptions: () => FormatOptions | Promise<FormatOptions>;
  readonly plugins: () => z.output<typeof pluginsSchema>;
  readonly share: (actor: Actor, directory: string, search: string) => ShareEntry[] | Promise<ShareEntry[]>;
  /** State of each part: `working`, or a sentence about the problem. */
  readonly health: () => Record<string, string> | Promise<Record<string, string>>;
}

export function createServerHandlers(
  ports: ServerPorts,
  { sessions, accounts, accessTokens, users }: SignIn,
): HandlersOf<typeof serverOperations> {
  return {
    about: ({ request }) => ({
      name: 'Limner',
      description: 'Offline annotation of images and video with a CVAT-compatible API.',
      version: serviceVersion,
      logo_url: `${request.baseUrl}/icon.svg`,
      subtitle: 'Your data stays on this computer',
    }),
    async health() {
      const parts = await ports.health();
      if (Object.values(parts).every((state) => state === 'working')) return parts;
      throw new AppError('unavailable', 'A part of the service does not work.', parts);
    },
    formats: () => ports.formats(),
    formatOptions: () => ports.formatOptions(),
    plugins: () => ports.plugins(),
    share: ({ actor, query }) => ports.share(actor, query.directory, query.search),

    async login({ body, request }) {
      const { key, session } = await sessions.login(body);
      setSessionCookies(request.answerHeaders, session);
      return { key };
    },
    logout({ request }) {
      sessions.logout(request.identity);
      clearSessionCookies(request.answerHeaders, request.raw.headers);
      return { detail: 'Successfully logged out.' };
    },
    async register({ body }) {
      const { user, key } = await accounts.register(body);
      return {
        username: user.username,
        email: user.email,
        first_name: user.first_name,
        last_name: user.last_name,
        email_verification_required: false,
        key,
      };
    },
    async changePassword({ body, request }) {
      const passwords = { old: body.old_password, new1: body.new_password1, new2: body.new_password2 };
      await accounts.changePassword(request.identity, passwords);
      return { detail: 'New password has been saved.' };
    },
    listAccessTokens: listHandler(accessTokens.list),
    createAccessToken: ({ actor, body, request }) => accessTokens.create(actor, request.identity.credentials, body),
    currentAccessToken: ({ actor, request }) => accessTokens.current(actor, request.identity.credentials),
    getAccessToken: ({ actor, params }) => accessTokens.get(actor, params.id),
    updateAccessToken: ({ actor, params, body, request }) =>
      accessTokens.update(actor, request.identity.credentials, params.id, body),
    deleteAccessToken: ({ actor, params, request }) =>
      accessTokens.revoke(actor, request.identity.credentials, params.id),

    listUsers: listHandler(users.list),
    self: ({ actor }) => users.self(actor),
    getUser: ({ actor, params }) => users.get(actor, params.id),
  };
}
