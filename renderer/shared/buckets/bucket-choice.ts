/** Objects of a bucket for a task. */
export interface BucketChoice {
  readonly storageId: number | null;
  /** Keys, and prefixes that end with a slash. */
  readonly keys: readonly string[];
  /** Key of a manifest, which has names and sizes; null for none. */
  readonly manifest: string | null;
  /** `*` and `?` in names; empty for all. */
  readonly pattern: string;
}

export const noBucket: BucketChoice = { storageId: null, keys: [], manifest: null, pattern: '' };

/** Files of the data request for a choice. */
export function filesOfChoice({ keys, manifest, pattern }: BucketChoice): readonly string[] {
  const files = manifest === null ? keys : [manifest, ...keys];
  return files.length === 0 && pattern.trim() !== '' ? ['*'] : files;
}
