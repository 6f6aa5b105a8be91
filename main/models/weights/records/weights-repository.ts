import type { Database } from '../../../db/open.ts';
import { createNamedRows } from '../../records/named-rows.ts';

export interface WeightsRow {
  readonly name: string;
  readonly title: string;
  readonly file_name: string;
  readonly size_bytes: number;
  readonly sha256: string;
  /** JSON. */
  readonly facts: string;
  readonly decoder_file_name: string | null;
  /** JSON. */
  readonly decoder_facts: string | null;
  /** JSON. */
  readonly description: string;
  /** 1: it runs in the container of the function of that name. */
  readonly is_in_container: 0 | 1;
  readonly owner_id: number | null;
  readonly created_date: string;
  readonly updated_date: string;
}

export interface DecoderRow {
  readonly function_name: string;
  readonly file_name: string;
  readonly size_bytes: number;
  readonly sha256: string;
  /** JSON. */
  readonly facts: string;
  readonly created_date: string;
}

export type WeightsRepository = ReturnType<typeof createWeightsRepository>;

export function createWeightsRepository(database: Database) {
  const insert = database.prepare(
    `INSERT INTO model_weights (name, title, file_name, size_bytes, sha256, facts, decoder_file_name, decoder_facts,
       description, is_in_container, owner_id, created_date, updated_date)
     VALUES (@name, @title, @file_name, @size_bytes, @sha256, @facts, @decoder_file_name, @decoder_facts,
       @description, @is_in_container, @owner_id, @created_date, @updated_date)`,
  );
  const describe = database.prepare(
    'UPDATE model_weights SET title = ?, description = ?, updated_date = ? WHERE name = ?',
  );
  const decoder = database.prepare('SELECT * FROM model_decoder WHERE function_name = ?');
  const putDecoder = database.prepare(
    `INSERT OR REPLACE INTO model_decoder (function_name, file_name, size_bytes, sha256, facts, created_date)
     VALUES (@function_name, @file_name, @size_bytes, @sha256, @facts, @created_date)`,
  );
  const removeDecoder = database.prepare('DELETE FROM model_decoder WHERE function_name = ?');
  return {
    ...createNamedRows<WeightsRow>(database, 'model_weights'),
    insert: (row: WeightsRow) => void insert.run(row),
    describe: (name: string, title: string, description: string, date: string) =>
      void describe.run(title, description, date, name),
    decoder: (name: string) => decoder.get(name) as DecoderRow | undefined,
    putDecoder: (row: DecoderRow) => void putDecoder.run(row),
    removeDecoder: (name: string) => void removeDecoder.run(name),
  };
}
