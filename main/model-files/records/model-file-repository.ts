import { columnOf, number, optionalNumber, optionalText, text, type RowOf } from '../../db/columns.ts';
import type { Store } from '../../db/store.ts';
import { createNamedRows, valuesOf } from '../../functions/records/named-rows.ts';

const modelFileColumns = {
  name: text(),
  title: text(),
  file_name: text(),
  size_bytes: number(),
  sha256: text(),
  /** JSON. */
  facts: text(),
  decoder_file_name: optionalText(),
  /** JSON. */
  decoder_facts: optionalText(),
  /** JSON. */
  description: text(),
  /** 1 if the model runs in the container of the function with this name. */
  is_in_container: columnOf<0 | 1>()(),
  owner_id: optionalNumber(),
  created_date: text(),
  updated_date: text(),
};
export type ModelFileRow = RowOf<typeof modelFileColumns>;

const decoderColumns = {
  function_name: text(),
  file_name: text(),
  size_bytes: number(),
  sha256: text(),
  /** JSON. */
  facts: text(),
  created_date: text(),
};
type DecoderRow = RowOf<typeof decoderColumns>;

export type ModelFileRepository = ReturnType<typeof createModelFileRepository>;

export function createModelFileRepository(database: Store) {
  const insert = database.query(`INSERT INTO model_weights ${valuesOf(modelFileColumns)}`);
  const describe = database.query(
    'UPDATE model_weights SET title = ?, description = ?, updated_date = ? WHERE name = +?',
  );
  const decoder = database.query('SELECT * FROM model_decoder WHERE function_name = +?');
  const putDecoder = database.query(`INSERT OR REPLACE INTO model_decoder ${valuesOf(decoderColumns)}`);
  const removeDecoder = database.query('DELETE FROM model_decoder WHERE function_name = +?');
  return {
    ...createNamedRows<ModelFileRow>(database, 'model_weights'),
    insert: (row: ModelFileRow) => void insert.run(row),
    describe: (name: string, title: string, description: string, date: string) =>
      void describe.run(title, description, date, name),
    decoder: (name: string) => decoder.get(name) as DecoderRow | undefined,
    putDecoder: (row: DecoderRow) => void putDecoder.run(row),
    removeDecoder: (name: string) => void removeDecoder.run(name),
  };
}
