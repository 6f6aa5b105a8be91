import type { Migration } from './migration.ts';

/**
 * Model files, which run in Limner's process. Their metadata is stored as read at the upload; the files are in
 * `data/weights/<name>/`. A decoder belongs to a function of any kind that returns features.
 */
const weights = `
CREATE TABLE model_weights (
  name TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  file_name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  -- JSON
  facts TEXT NOT NULL,
  decoder_file_name TEXT,
  -- JSON
  decoder_facts TEXT,
  -- JSON: input and output of the model
  description TEXT NOT NULL,
  owner_id INTEGER,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;
CREATE TABLE model_decoder (
  function_name TEXT PRIMARY KEY,
  file_name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  -- JSON
  facts TEXT NOT NULL,
  created_date TEXT NOT NULL
) STRICT;
`;

export const addWeights: Migration = {
  version: 18,
  name: 'add-weights',
  up: (database) => database.exec(weights),
};
