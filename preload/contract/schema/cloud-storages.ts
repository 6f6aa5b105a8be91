import { z } from 'zod';
import { basicUserSchema, dateTimeSchema } from './common.ts';
import { shareEntrySchema } from './server.ts';

export const providerTypes = ['AWS_S3_BUCKET', 'AZURE_CONTAINER', 'GOOGLE_CLOUD_STORAGE'] as const;
export type ProviderType = (typeof providerTypes)[number];
export const credentialsTypes = [
  'KEY_SECRET_KEY_PAIR',
  'ACCOUNT_NAME_TOKEN_PAIR',
  'KEY_FILE_PATH',
  'ANONYMOUS_ACCESS',
  'CONNECTION_STRING',
] as const;
export type CredentialsType = (typeof credentialsTypes)[number];

const provider = z.enum(providerTypes);
const credentials = z.enum(credentialsTypes);
const resource = z.string().trim().min(1).max(222);
const displayName = z.string().trim().min(1).max(63);
const attributes = z.string().max(1024);
const manifests = z.array(z.string().min(1).max(1024)).max(100);

/** Secrets are never answered. */
export const cloudStorageSchema = z.object({
  id: z.int(),
  owner: basicUserSchema.nullable(),
  manifests: z.array(z.string()),
  provider_type: provider,
  resource: z.string(),
  display_name: z.string(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
  credentials_type: credentials,
  /** Query: region, endpoint_url and prefix. */
  specific_attributes: z.string(),
  description: z.string(),
  organization: z.int().nullable(),
});
export type CloudStorage = z.infer<typeof cloudStorageSchema>;

/** S3 keys of servers other than Amazon's may be longer than CVAT's limits. */
const secrets = {
  session_token: z.string().max(8192).optional(),
  account_name: z.string().max(24).optional(),
  key: z.string().max(256).optional(),
  secret_key: z.string().max(256).optional(),
  connection_string: z.string().max(8192).optional(),
  key_file: z.unknown().optional(),
};

export const cloudStorageWriteSchema = z.object({
  provider_type: provider,
  resource,
  display_name: displayName,
  credentials_type: credentials,
  ...secrets,
  specific_attributes: attributes.default(''),
  description: z.string().default(''),
  manifests: manifests.default([]),
});
export type CloudStorageWrite = z.output<typeof cloudStorageWriteSchema>;

export const cloudStoragePatchSchema = z.object({
  provider_type: provider.optional(),
  resource: resource.optional(),
  display_name: displayName.optional(),
  credentials_type: credentials.optional(),
  ...secrets,
  specific_attributes: attributes.optional(),
  description: z.string().optional(),
  manifests: manifests.optional(),
});
export type CloudStoragePatch = z.output<typeof cloudStoragePatchSchema>;

export const cloudStorageContentSchema = z.object({
  /** Token of the next page; null on the last. */
  next: z.string().nullable(),
  content: z.array(
    shareEntrySchema.extend({
      /** Limner extension: bytes and date of an object. */
      size: z.int().optional(),
      modified: z.string().optional(),
    }),
  ),
});
export type CloudStorageContent = z.infer<typeof cloudStorageContentSchema>;

/** Limner extension: a manifest of the images below a prefix. */
export const manifestRequestSchema = z.object({
  /** Ends with a slash; empty for all that the storage shows. */
  prefix: z
    .string()
    .max(1024)
    .refine((prefix) => prefix === '' || prefix.endsWith('/'), 'A prefix ends with a slash.')
    .default(''),
  /** Key of the manifest; empty for `manifest.jsonl` at the prefix. */
  path: z.string().max(1024).default(''),
  /** Replaces an object of this name. */
  replace: z.boolean().default(false),
});
export type ManifestRequest = z.output<typeof manifestRequestSchema>;

export const bucketStatuses = ['AVAILABLE', 'NOT_FOUND', 'FORBIDDEN'] as const;
export const bucketStatusSchema = z.enum(bucketStatuses);
export type BucketStatus = z.infer<typeof bucketStatusSchema>;

/** Limner extension: the status with a sentence. */
export const bucketStateSchema = z.object({
  status: bucketStatusSchema,
  /** False if there was no answer. */
  reachable: z.boolean(),
  /** Sentence; empty if the bucket is available. */
  message: z.string(),
});
export type BucketState = z.infer<typeof bucketStateSchema>;
