import type { Migration } from './migration.ts';

/** Tables with the JSON report of an import, export or model run. */
const tables = ['request', 'model_batch', 'model_run'];
const renamed = { carried: 'included', losses: 'dropped', bad: 'invalid', badCount: 'invalidCount', survey: 'preview' };

const renames = tables.flatMap((table) =>
  Object.entries(renamed).map(
    ([from, to]) => `
UPDATE ${table} SET report = json_set(json_remove(report, '$.${from}'), '$.${to}', json_extract(report, '$.${from}'))
  WHERE json_valid(report) AND json_type(report, '$.${from}') IS NOT NULL;`,
  ),
);

/** Replaces the column, because its check lists the kinds. Other tables refer to the rows, so the table stays. */
const kinds = `
ALTER TABLE annotation_change RENAME COLUMN kind TO old_kind;
ALTER TABLE annotation_change ADD COLUMN kind TEXT NOT NULL DEFAULT 'import'
  CHECK (kind IN ('import', 'replace', 'clear', 'delete', 'label', 'undo'));
UPDATE annotation_change SET kind = CASE old_kind WHEN 'take-back' THEN 'undo' ELSE old_kind END;
ALTER TABLE annotation_change DROP COLUMN old_kind;
`;

export const renameReportFields: Migration = {
  version: 29,
  name: 'rename-report-fields',
  up: (database) => database.exec([...renames, kinds].join('\n')),
};
