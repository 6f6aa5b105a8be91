import type { Migration } from './migration.ts';

/**
 * Requirements of quality settings. The base requirement of the settings has its thresholds in `quality_settings.chosen`.
 * Conflicts are found by the settings (clients of CVAT 2.73), by requirements (2.80), or by both.
 */
export const qualityRequirements: Migration = {
  version: 33,
  name: 'quality-requirements',
  up: (database) =>
    database.exec(`
CREATE TABLE quality_requirement (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  settings_id INTEGER NOT NULL REFERENCES quality_settings (id) ON DELETE CASCADE,
  -- Null: inherits from the base requirement
  parent_id INTEGER REFERENCES quality_requirement (id) ON DELETE CASCADE,
  is_base INTEGER NOT NULL DEFAULT 0 CHECK (is_base IN (0, 1)),
  name TEXT NOT NULL,
  sort_order INTEGER NOT NULL DEFAULT 0,
  -- JSON Logic as text
  filter TEXT NOT NULL DEFAULT '',
  enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  annotation_type TEXT,
  -- JSON: settings that are not inherited, by name
  chosen TEXT NOT NULL DEFAULT '{}',
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  UNIQUE (settings_id, name)
) STRICT;
CREATE UNIQUE INDEX quality_requirement_base ON quality_requirement (settings_id) WHERE is_base = 1;
CREATE INDEX quality_requirement_parent ON quality_requirement (parent_id);
ALTER TABLE quality_conflict ADD COLUMN attribute_names TEXT NOT NULL DEFAULT '[]';
ALTER TABLE quality_conflict ADD COLUMN by_settings INTEGER NOT NULL DEFAULT 1 CHECK (by_settings IN (0, 1));
ALTER TABLE quality_conflict ADD COLUMN by_requirements INTEGER NOT NULL DEFAULT 0 CHECK (by_requirements IN (0, 1));
UPDATE quality_conflict SET by_requirements = 1 WHERE type <> 'low_overlap';
`),
};
