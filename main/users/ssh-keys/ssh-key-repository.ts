import type { Store } from '../../db/store.ts';

export interface SshKeyRow {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly public_key: string;
  readonly fingerprint: string;
  readonly has_passphrase: number;
  readonly created_date: string;
  readonly last_used_date: string | null;
}

export function createSshKeyRepository(database: Store) {
  const insert = database.query(
    `INSERT INTO ssh_key (user_id, name, public_key, fingerprint, has_passphrase, created_date)
     VALUES (@user_id, @name, @public_key, @fingerprint, @has_passphrase, @created_date)`,
  );
  const ofUser = database.query('SELECT * FROM ssh_key WHERE user_id = +? ORDER BY id');
  const one = database.query('SELECT * FROM ssh_key WHERE id = +? AND user_id = +?');
  const ids = database.query('SELECT id FROM ssh_key').pluck();
  const remove = database.query('DELETE FROM ssh_key WHERE id = +?');
  const used = database.query('UPDATE ssh_key SET last_used_date = ? WHERE id = +?');
  return {
    insert: (row: Omit<SshKeyRow, 'id' | 'last_used_date'>): number => Number(insert.run(row).lastInsertRowid),
    list: (userId: number) => ofUser.all(userId) as SshKeyRow[],
    get: (id: number, userId: number) => one.get(id, userId) as SshKeyRow | undefined,
    ids: () => ids.all() as number[],
    remove: (id: number): void => void remove.run(id),
    used: (id: number, date: string): void => void used.run(date, id),
  };
}
