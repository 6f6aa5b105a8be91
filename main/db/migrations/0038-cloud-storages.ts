import type { Migration } from './migration.ts';

/** Buckets, and the media, source and target storages that are in them. */
export const cloudStorages: Migration = {
  version: 38,
  name: 'cloud-storages',
  up: (database) =>
    database.exec(`
CREATE TABLE cloud_storage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider_type TEXT NOT NULL CHECK (provider_type IN ('AWS_S3_BUCKET', 'AZURE_CONTAINER', 'GOOGLE_CLOUD_STORAGE')),
  resource TEXT NOT NULL,
  display_name TEXT NOT NULL,
  credentials_type TEXT NOT NULL,
  -- JSON; sealed by platform/secrets.ts
  credentials TEXT NOT NULL,
  -- query: region, endpoint_url, prefix
  specific_attributes TEXT NOT NULL,
  description TEXT NOT NULL,
  -- JSON: paths of manifests
  manifests TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  organization_id INTEGER REFERENCES organization (id) ON DELETE CASCADE,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;
CREATE INDEX cloud_storage_owner ON cloud_storage (owner_id);
CREATE INDEX cloud_storage_organization ON cloud_storage (organization_id);
-- Set if the images are objects of a bucket. No foreign key: without its bucket, such a medium must not look local.
ALTER TABLE media ADD COLUMN cloud_storage_id INTEGER;
-- Set if the location is a bucket; the column location keeps 'local', which its constraint demands.
ALTER TABLE storage ADD COLUMN cloud_storage_id INTEGER;
`),
};
