import type { z } from 'zod';
import type { accessTokenSchema } from '../../../preload/contract/schema/server.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import { isoAfter, type Clock } from '../../platform/clock.ts';
import { parseDate } from '../../db/json-logic.ts';
import { accessTokenMayNot, type Actor, type Listing, type ListRequest, type Credentials } from '../access/actor.ts';
import { forbidden, isAdmin } from '../access/access-rules.ts';
import type { UserRepository } from '../accounts/user-repository.ts';
import { basicUser } from '../accounts/present.ts';
import type { AccessTokenRow, AuthRepository } from './auth-repository.ts';
import { unauthenticated, type Identity } from './auth-service.ts';
import { randomSecret, sameSecret, secretHash } from './secrets.ts';
import { defined } from '../../platform/defined.ts';

export type AccessToken = z.output<typeof accessTokenSchema>;

export interface AccessTokenWrite {
  readonly name?: string;
  readonly expiry_date?: string | null;
  readonly read_only?: boolean;
}

interface Dependencies {
  readonly auth: AuthRepository;
  readonly users: UserRepository;
  readonly clock: Clock;
  readonly onChange?: AccessTokenListener;
}

export type AccessTokenListener = (
  action: 'create' | 'update' | 'delete',
  userId: number,
  token: Pick<AccessTokenRow, 'id' | 'name'>,
) => void;

export type AccessTokenService = ReturnType<typeof createAccessTokenService>;

const maxTokensPerUser = 50;
const dayMs = 24 * 60 * 60 * 1000;
/** Tokens unused for half a year expire, because they are probably forgotten. */
const staleMs = 183 * dayMs;
const usedResolutionMs = 60_000;

/** Personal access tokens: `<prefix>.<secret>`. The store has the prefix and a digest of the secret. */
export function createAccessTokenService({ auth, users, clock, onChange }: Dependencies) {
  function present(actor: Actor, row: AccessTokenRow): AccessToken {
    const user = users.get(row.user_id);
    return {
      id: row.id,
      name: row.name,
      created_date: row.created_date,
      updated_date: row.updated_date,
      expiry_date: row.expiry_date,
      last_used_date: row.last_used_date,
      read_only: row.read_only === 1,
      owner: user ? basicUser(user, actor.baseUrl) : null,
    };
  }

  function own(actor: Actor, id: number): AccessTokenRow {
    const row = auth.accessToken(id);
    if (!row) throw notFound('No AccessToken matches the given query.');
    if (row.user_id !== actor.userId && !isAdmin(actor)) throw forbidden();
    return row;
  }

  return {
    /** @throws AppError 401 for a token that is unknown, revoked, expired, or unused for half a year */
    authenticate(value: string): Identity {
      const [prefix = '', secret = ''] = value.split('.');
      const row = auth.accessTokenWithPrefix(prefix);
      const user = row && users.get(row.user_id);
      if (!row || !user || !sameSecret(row.secret_hash, secretHash(secret))) throw unauthenticated('Invalid token.');
      const now = clock();
      const idleSince = row.last_used_date ?? row.created_date;
      if ((row.expiry_date !== null && row.expiry_date <= now) || isoAfter(idleSince, staleMs) <= now) {
        throw unauthenticated('Invalid token.');
      }
      if (user.is_active !== 1) throw unauthenticated('User inactive or deleted.');
      if (row.last_used_date === null || isoAfter(row.last_used_date, usedResolutionMs) <= now) {
        auth.accessTokenUsed(row.id, now);
      }
      return { user, credentials: { kind: 'access-token', id: row.id, readOnly: row.read_only === 1 } };
    },

    list(actor: Actor, request: ListRequest): Listing<AccessToken> {
      const { count, results } = auth.listAccessTokens(actor.userId, request);
      return { count, results: results.map((row) => present(actor, row)) };
    },
    get: (actor: Actor, id: number): AccessToken => present(actor, own(actor, id)),

    current(actor: Actor, credentials: Credentials): AccessToken {
      if (credentials.kind !== 'access-token') throw notFound();
      return present(actor, own(actor, credentials.id));
    },

    create(actor: Actor, credentials: Credentials, input: AccessTokenWrite): AccessToken & { value: string } {
      if (credentials.kind === 'access-token') throw accessTokenMayNot('manage access tokens');
      if (auth.countAccessTokens(actor.userId) >= maxTokensPerUser) throw tooMany();
      const [prefix, secret] = [randomSecret(6), randomSecret(32)];
      const id = auth.insertAccessToken({
        user_id: actor.userId,
        name: input.name ?? '',
        prefix,
        secret_hash: secretHash(secret),
        date: clock(),
        expiry_date: storedExpiry(input.expiry_date) ?? null,
        read_only: input.read_only === false ? 0 : 1,
      });
      const made = own(actor, id);
      onChange?.('create', actor.userId, made);
      return { ...present(actor, made), value: `${prefix}.${secret}` };
    },

    update(actor: Actor, credentials: Credentials, id: number, input: AccessTokenWrite): AccessToken {
      if (credentials.kind === 'access-token') throw accessTokenMayNot('manage access tokens');
      const row = own(actor, id);
      const expiry = storedExpiry(input.expiry_date);
      auth.updateAccessToken(
        row,
        {
          ...defined({ name: input.name, expiry_date: expiry }),
          ...defined({ read_only: input.read_only === undefined ? undefined : input.read_only ? 1 : 0 }),
        },
        clock(),
      );
      onChange?.('update', actor.userId, row);
      return present(actor, own(actor, id));
    },

    revoke(actor: Actor, credentials: Credentials, id: number): void {
      if (credentials.kind === 'access-token') throw accessTokenMayNot('manage access tokens');
      const row = own(actor, id);
      auth.revokeAccessToken(row.id, clock());
      onChange?.('delete', actor.userId, row);
    },
  };
}

const storedExpiry = (date: string | null | undefined) => (typeof date === 'string' ? parseDate(date) : date);

const tooMany = () =>
  invalidRequest(`You already have ${maxTokensPerUser} access tokens. Delete one that is not in use.`);
