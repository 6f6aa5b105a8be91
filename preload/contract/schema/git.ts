import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

/** SSH key of a user. Its private part never leaves the volume of keys. */
export const sshKeySchema = z.object({
  id: z.int(),
  name: z.string(),
  /** For example `ssh-ed25519`. */
  type: z.string(),
  /** Line for the server's `authorized_keys`. */
  public_key: z.string(),
  /** Format of `ssh-keygen -l`: `SHA256:…`. */
  fingerprint: z.string(),
  /** True if it needs a passphrase, which the user enters for each use and which is not stored. */
  has_passphrase: z.boolean(),
  created_date: dateTimeSchema,
  last_used_date: dateTimeSchema.nullable(),
});
export type SshKey = z.infer<typeof sshKeySchema>;
export const sshKeysSchema = z.object({ results: z.array(sshKeySchema) });

const passphrase = z.string().min(1).max(1024).optional();

export const sshKeyWriteSchema = z.object({
  name: z.string().trim().min(1).max(100),
  /** Existing key in the format of `ssh-keygen` (OpenSSH or PEM). Default: a new ed25519 key. */
  private_key: z.string().min(1).max(65_536).optional(),
  /** Passphrase of the existing key, to check it once, or of the new one. */
  passphrase,
});
export type SshKeyWrite = z.infer<typeof sshKeyWriteSchema>;

export const hostKeySchema = z.object({ type: z.string(), key: z.string(), fingerprint: z.string() });
export type HostKey = z.infer<typeof hostKeySchema>;

export const gitHostSchema = z.object({
  host: z.string(),
  port: z.int(),
  /** Keys that a user confirmed. Without one of them Limner does not connect to the server. */
  confirmed: z.array(hostKeySchema),
  /** Keys that the server offers now. */
  offered: z.array(hostKeySchema),
  /** `changed`: none of the confirmed keys is offered any more. */
  state: z.enum(['unknown', 'confirmed', 'changed']),
});
export type GitHost = z.infer<typeof gitHostSchema>;

/** For example `git@server:team/data.git`, `ssh://git@server:2222/data.git`, or the absolute path of a folder. */
const address = z.string().trim().min(1).max(2000);
export const gitHostQuerySchema = z.object({ address });
export const gitHostConfirmSchema = z.object({
  address,
  /** Fingerprint of an offered key that the user has compared with the server owner's. */
  fingerprint: z.string().min(1).max(200),
});

const branchWanted = 'Enter a valid branch name.';
/** Rejects paths outside the repository and Git's own folder. */
const isFolderName = (name: string): boolean =>
  name !== '' && !/[\\\p{Cc}]/u.test(name) && !/^(\.{1,2}|\.git)$/i.test(name);

export const gitBindingWriteSchema = z.object({
  address,
  branch: z
    .string()
    .trim()
    .max(200)
    .regex(/^[A-Za-z0-9_][A-Za-z0-9._/-]*$/, branchWanted)
    .refine((name) => !/\.\.|\/\/|\.lock(\/|$)|[./]$|\/\./.test(name), branchWanted)
    .default('main'),
  /** Folder of this task in the repository, for example `harbour/task-1`; empty: the root. */
  folder: z
    .string()
    .trim()
    .max(500)
    .refine((path) => path === '' || path.split('/').every(isFolderName), {
      error: 'Enter a folder of the repository: names separated by /.',
    })
    .default(''),
  /** Format of a copy that each push writes beside Limner's own files; null: none; absent: unchanged. */
  format: z.string().trim().min(1).max(200).nullable().optional(),
});
export type GitBindingWrite = z.output<typeof gitBindingWriteSchema>;
export const gitBindingSchema = z.object({
  address: z.string(),
  branch: z.string(),
  folder: z.string(),
  /** Format of the copy beside Limner's own files; null: no copy. */
  format: z.string().nullable(),
  /** Last common commit; null before the first pull or push. */
  base: z.string().nullable(),
  pulled_date: dateTimeSchema.nullable(),
  pushed_date: dateTimeSchema.nullable(),
  /** For a task: the project whose repository it uses. */
  project_id: z.int().nullable(),
});
export type GitBinding = z.infer<typeof gitBindingSchema>;

/** Numbers of changed objects: tags, shapes and tracks. */
export const gitDifferenceSchema = z.object({ added: z.int(), changed: z.int(), removed: z.int() });
export type GitDifference = z.infer<typeof gitDifferenceSchema>;

export const gitConflictSchema = z.object({
  task_id: z.int(),
  task_name: z.string(),
  uid: z.string(),
  kind: z.enum(['tag', 'shape', 'track']),
  frame: z.int(),
  label: z.string(),
  /** Content in the files of the repository; null: absent or deleted. */
  base: z.record(z.string(), z.unknown()).nullable(),
  mine: z.record(z.string(), z.unknown()).nullable(),
  theirs: z.record(z.string(), z.unknown()).nullable(),
  /** Names both versions. A decision repeats it, so that it never applies to a version that the user did not see. */
  version: z.string(),
});
export type GitConflict = z.infer<typeof gitConflictSchema>;

export const gitTaskSchema = z.object({
  binding: gitBindingSchema.nullable(),
  /** Changes that a push would send; null without a binding. */
  to_push: gitDifferenceSchema.nullable(),
  /** True if the copy in the chosen format is missing or out of date; a push writes it. */
  is_copy_outdated: z.boolean(),
});
export type GitTask = z.infer<typeof gitTaskSchema>;

const access = {
  /** SSH key; default: the user's only one. Not needed for a folder. */
  key_id: z.int().optional(),
  passphrase,
};
export const gitDecisionSchema = z.enum(['mine', 'theirs', 'both']);
export const gitPullWriteSchema = z.object({
  ...access,
  decisions: z
    .array(z.object({ uid: z.string(), version: z.string().max(100), decision: gitDecisionSchema }))
    .max(100_000)
    .default([]),
  /** Handling of other programs' changes to the copy. With `ask`, such changes stop the pull. */
  copy: z.enum(['ask', 'take', 'leave']).default('ask'),
});
export type GitPullWrite = z.infer<typeof gitPullWriteSchema>;
/** Changes that other programs made to the copy of a task's annotations. */
export const gitCopyChangesSchema = z.object({
  task_id: z.int(),
  task_name: z.string(),
  format: z.string(),
  /** Changes that `take` would make. */
  changed: gitDifferenceSchema,
  /** Changed or removed objects without a counterpart here; `take` ignores them. */
  unmatched: z.int(),
  /** Reason why `take` is not possible; null if it is. */
  reason: z.string().nullable(),
});
export type GitCopyChanges = z.infer<typeof gitCopyChangesSchema>;
export const gitPulledSchema = z.object({
  /** Changes made here; none if there are conflicts. */
  changed: gitDifferenceSchema,
  /** The first 500 unresolved conflicts. */
  conflicts: z.array(gitConflictSchema),
  conflict_count: z.int(),
  /** Copies that other programs changed, with `ask`. Nothing was changed here. */
  copies: z.array(gitCopyChangesSchema),
  binding: gitBindingSchema,
});
export type GitPulled = z.infer<typeof gitPulledSchema>;

/** Objects that are missing or different in the copy. Limner's own files contain them. */
export const gitLossSchema = z.object({ type: z.string(), label: z.string(), rule: z.string(), count: z.int() });
export type GitLoss = z.infer<typeof gitLossSchema>;

export const gitPushWriteSchema = z.object({
  ...access,
  message: z.string().trim().max(10_000).default(''),
  /**
   * Accepts that the copy lacks data which its format does not support. Default: a push with new losses only reports
   * them.
   */
  accept_losses: z.boolean().default(false),
});
export type GitPushWrite = z.infer<typeof gitPushWriteSchema>;
export const gitPushedSchema = z.object({
  /** Null if there was nothing to push. */
  commit: z.string().nullable(),
  changed: gitDifferenceSchema,
  losses: z.array(gitLossSchema),
  /** True if nothing was pushed because the copy would have new losses that were not accepted. */
  needs_acceptance: z.boolean(),
  binding: gitBindingSchema,
});
export type GitPushed = z.infer<typeof gitPushedSchema>;

export const gitCommitSchema = z.object({
  commit: z.string(),
  author: z.string(),
  email: z.string(),
  date: z.string(),
  message: z.string(),
});
export type GitCommit = z.infer<typeof gitCommitSchema>;
export const gitHistorySchema = z.object({ results: z.array(gitCommitSchema) });
export const gitRestoreWriteSchema = z.object({ commit: z.string().regex(/^[0-9a-f]{40,64}$/) });
export const gitRestoredSchema = z.object({ changed: gitDifferenceSchema });

/** Task of a project, or folder of its repository, that was skipped, with the reason. */
export const gitSkippedSchema = z.object({ task_id: z.int().nullable(), name: z.string(), reason: z.string() });
export type GitSkipped = z.infer<typeof gitSkippedSchema>;
const skipped = { skipped: z.array(gitSkippedSchema) };
export const gitProjectSchema = gitTaskSchema.extend(skipped);
export type GitProject = z.infer<typeof gitProjectSchema>;
export const gitProjectPulledSchema = gitPulledSchema.extend(skipped);
export type GitProjectPulled = z.infer<typeof gitProjectPulledSchema>;
export const gitProjectPushedSchema = gitPushedSchema.extend(skipped);
export type GitProjectPushed = z.infer<typeof gitProjectPushedSchema>;
export const gitProjectRestoredSchema = gitRestoredSchema.extend(skipped);
export type GitProjectRestored = z.infer<typeof gitProjectRestoredSchema>;
