import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import Database from 'better-sqlite3';

/** State of a workbench: the rows of each table, and the bytes of each file that cannot be recreated. */
export type WholeState = Readonly<Record<string, string>>;

const madeAgain = /^data\/\d+\/cache\/|^data\/imports|^data\/uploads\/open\/|^keys\/command-line\.json$|\.(part|tmp)$/;
const inText = (value: unknown): unknown => (Buffer.isBuffer(value) ? `x${value.toString('hex')}` : value);

/** The data directory must not be in use. */
export function wholeState(root: string): WholeState {
  const events = Object.entries(rowsOf(join(root, 'events', 'events.sqlite')));
  return {
    ...rowsOf(join(root, 'db', 'limner.sqlite')),
    ...Object.fromEntries(events.map(([name, rows]) => [`events: ${name}`, rows])),
    ...filesOf(root),
  };
}

function rowsOf(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const database = new Database(file);
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%'")
      .pluck()
      .all();
    const schema = database
      .prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
      .pluck();
    const counted = tables.map((table): [string, string] => {
      const hashes: string[] = [];
      for (const row of database.prepare<[], unknown[]>(`SELECT * FROM "${table}"`).raw().iterate()) {
        hashes.push(
          createHash('md5')
            .update(JSON.stringify(row.map(inText)))
            .digest('base64'),
        );
      }
      return [`table ${table}`, `${hashes.length} rows ${hashOf(hashes.sort().join())}`];
    });
    const version = String(database.pragma('user_version', { simple: true }));
    return { ...Object.fromEntries(counted), schema: `${version} ${hashOf(schema.all().join('\n'))}` };
  } finally {
    database.close();
  }
}

function filesOf(root: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const part of ['data', 'keys', 'events', 'formats']) {
    if (!existsSync(join(root, part))) continue;
    for (const entry of readdirSync(join(root, part), { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(root, path).split(sep).join('/');
      const isCounted = entry.isFile() && !madeAgain.test(name) && !/\.sqlite(-wal|-shm)?$/.test(name);
      if (isCounted) files[name] = hashOf(readFileSync(path));
    }
  }
  return files;
}

const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
