import { columnFields, equalFields, type ListDefinition, type ListRequest } from '../../db/filters.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Store } from '../../db/store.ts';
import type { Listing } from '../access/actor.ts';
import type { UserRow } from '../accounts/user-repository.ts';

export interface SessionRow {
  readonly key_hash: string;
  readonly user_id: number;
  readonly csrf_token: string;
  readonly created_ms: number;
  readonly expires_ms: number;
}

export interface AccessTokenRow {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly prefix: string;
  readonly secret_hash: string;
  readonly created_date: string;
  readonly updated_date: string;
  readonly expiry_date: string | null;
  readonly last_used_date: string | null;
  readonly read_only: number;
  readonly revoked: number;
}

export type AccessTokenChange = Partial<Pick<AccessTokenRow, 'name' | 'expiry_date' | 'read_only'>>;

const accessTokenList: ListDefinition = {
  select: 'access_token.*',
  from: 'access_token',
  fields: {
    ...columnFields('access_token', {
      number: ['id'],
      date: ['created_date', 'updated_date', 'expiry_date', 'last_used_date'],
    }),
    ...equalFields('access_token', { text: ['name'], boolean: ['read_only'] }),
  },
  search: ['name'],
  sort: '-id',
};

export type AuthRepository = ReturnType<typeof createAuthRepository>;

/** Stores only digests of keys and secrets. */
export function createAuthRepository(database: Store) {
  return { ...sessionsAndTokens(database), ...accessTokens(database), ...passwordResets(database) };
}

function passwordResets(database: Store) {
  const put = database.query(
    `INSERT INTO password_reset (token_hash, user_id, expires_ms) VALUES (?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, expires_ms = excluded.expires_ms`,
  );
  const one = database.query('SELECT user_id, expires_ms FROM password_reset WHERE token_hash = +?');
  const remove = database.query('DELETE FROM password_reset WHERE user_id = +?');
  return {
    /** Replaces an earlier one of the same user. */
    putPasswordReset: (tokenHash: string, userId: number, expiresMs: number) =>
      void put.run(tokenHash, userId, expiresMs),
    passwordReset: (tokenHash: string) => one.get(tokenHash) as { user_id: number; expires_ms: number } | undefined,
    removePasswordReset: (userId: number) => void remove.run(userId),
  };
}

function sessionsAndTokens(database: Store) {
  const session = database.query('SELECT * FROM session WHERE key_hash = +?');
  const insertSession = database.query('INSERT INTO session VALUES (?, ?, ?, ?, ?)');
  const extendSession = database.query('UPDATE session SET expires_ms = ? WHERE key_hash = +?');
  const removeSession = database.query('DELETE FROM session WHERE key_hash = +?');
  const removeExpired = database.query('DELETE FROM session WHERE expires_ms <= +?');
  const removeOtherSessions = database.query('DELETE FROM session WHERE user_id = +? AND key_hash <> +?');
  const tokenUser = database.query(
    'SELECT user.* FROM auth_token JOIN user ON user.id = auth_token.user_id WHERE key_hash = +?',
  );
  const insertToken = database.query('INSERT INTO auth_token VALUES (?, ?, ?)');
  const removeTokens = database.query('DELETE FROM auth_token WHERE user_id = +?');
  const removeOldTokens = database.query(
    `DELETE FROM auth_token WHERE user_id = +? AND key_hash NOT IN
       (SELECT key_hash FROM auth_token WHERE user_id = +? ORDER BY created_date DESC, key_hash LIMIT +?)`,
  );
  return {
    session: (keyHash: string) => session.get(keyHash) as SessionRow | undefined,
    insertSession(row: SessionRow): void {
      insertSession.run(row.key_hash, row.user_id, row.csrf_token, row.created_ms, row.expires_ms);
    },
    extendSession: (keyHash: string, expiresMs: number) => void extendSession.run(expiresMs, keyHash),
    removeSession: (keyHash: string) => void removeSession.run(keyHash),
    removeExpiredSessions: (nowMs: number) => void removeExpired.run(nowMs),
    /** Removes all of a user's sessions but one; an empty text removes all. */
    removeOtherSessions: (userId: number, keptKeyHash: string) => void removeOtherSessions.run(userId, keptKeyHash),
    tokenUser: (keyHash: string) => tokenUser.get(keyHash) as UserRow | undefined,
    insertToken: (keyHash: string, userId: number, date: string) => void insertToken.run(keyHash, userId, date),
    removeTokens: (userId: number) => void removeTokens.run(userId),
    keepNewestTokens: (userId: number, count: number) => void removeOldTokens.run(userId, userId, count),
  };
}

function accessTokens(database: Store) {
  const byPrefix = database.query('SELECT * FROM access_token WHERE prefix = +? AND revoked = 0');
  const byId = database.query('SELECT * FROM access_token WHERE id = +? AND revoked = 0');
  const countOf = database.query('SELECT count(*) AS count FROM access_token WHERE user_id = +? AND revoked = 0');
  const insert = database.query(
    `INSERT INTO access_token (user_id, name, prefix, secret_hash, created_date, updated_date, expiry_date, read_only)
     VALUES (@user_id, @name, @prefix, @secret_hash, @date, @date, @expiry_date, @read_only)`,
  );
  const update = database.query(
    'UPDATE access_token SET name = ?, expiry_date = ?, read_only = ?, updated_date = ? WHERE id = +?',
  );
  const used = database.query('UPDATE access_token SET last_used_date = ? WHERE id = +?');
  const revoke = database.query('UPDATE access_token SET revoked = 1, updated_date = ? WHERE id = +?');
  const revokeAll = database.query(
    'UPDATE access_token SET revoked = 1, updated_date = ? WHERE user_id = +? AND revoked = 0',
  );
  return {
    accessTokenWithPrefix: (prefix: string) => byPrefix.get(prefix) as AccessTokenRow | undefined,
    accessToken: (id: number) => byId.get(id) as AccessTokenRow | undefined,
    countAccessTokens: (userId: number) => (countOf.get(userId) as { count: number }).count,
    listAccessTokens(userId: number, request: ListRequest): Listing<AccessTokenRow> {
      const own = { sql: 'access_token.user_id = +? AND access_token.revoked = 0', params: [userId] };
      return listRows(database, accessTokenList, request, own);
    },
    insertAccessToken: (row: Record<string, unknown>) => Number(insert.run(row).lastInsertRowid),
    updateAccessToken(row: AccessTokenRow, change: AccessTokenChange, date: string): void {
      const next = { ...row, ...change };
      update.run(next.name, next.expiry_date, next.read_only, date, row.id);
    },
    accessTokenUsed: (id: number, date: string) => void used.run(date, id),
    revokeAccessToken: (id: number, date: string) => void revoke.run(date, id),
    revokeAccessTokens: (userId: number, date: string) => void revokeAll.run(date, userId),
  };
}
