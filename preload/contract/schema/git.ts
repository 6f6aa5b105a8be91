import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

/** An SSH key of a person. Its private part never leaves the volume of keys. */
export const sshKeySchema = z.object({
  id: z.int(),
  name: z.string(),
  /** For example `ssh-ed25519`. */
  type: z.string(),
  /** A line for the server's `authorized_keys`. */
  public_key: z.string(),
  /** As `ssh-keygen -l` writes it: `SHA256:…`. */
  fingerprint: z.string(),
  /** It opens by a passphrase only, which is asked for at each use and not kept. */
  has_passphrase: z.boolean(),
  created_date: dateTimeSchema,
  last_used_date: dateTimeSchema.nullable(),
});
export type SshKey = z.infer<typeof sshKeySchema>;
export const sshKeysSchema = z.object({ results: z.array(sshKeySchema) });

const passphrase = z.string().min(1).max(1024).optional();

export const sshKeyWriteSchema = z.object({
  name: z.string().trim().min(1).max(100),
  /** An existing key, as `ssh-keygen` writes it (OpenSSH or PEM). Without it an ed25519 key is made. */
  private_key: z.string().min(1).max(65_536).optional(),
  /** Of the existing key, to try it once; or for the new one. */
  passphrase,
});
export type SshKeyWrite = z.infer<typeof sshKeyWriteSchema>;

/** A public key by which a server is known again. */
export const hostKeySchema = z.object({ type: z.string(), key: z.string(), fingerprint: z.string() });
export type HostKey = z.infer<typeof hostKeySchema>;

export const gitHostSchema = z.object({
  host: z.string(),
  port: z.int(),
  /** Confirmed by a person: the server is known by one of these, or not spoken to. */
  confirmed: z.array(hostKeySchema),
  /** What it shows now. */
  shown: z.array(hostKeySchema),
  /** `other`: none of the confirmed keys is shown any more. */
  state: z.enum(['unknown', 'confirmed', 'other']),
});
export type GitHost = z.infer<typeof gitHostSchema>;

/** For example `git@server:team/data.git`, `ssh://git@server:2222/data.git`, or the whole path of a folder. */
const address = z.string().trim().min(1).max(2000);
export const gitHostQuerySchema = z.object({ address });
export const gitHostConfirmSchema = z.object({
  address,
  /** One that the server shows, compared with what its owner says. */
  fingerprint: z.string().min(1).max(200),
});

const branchWanted = 'Enter the name of a branch.';
/** Nothing that leads out of the repository, or into what git keeps for itself. */
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
  /** Of this task in the repository, for example `harbour/task-1`; empty: its root. */
  folder: z
    .string()
    .trim()
    .max(500)
    .refine((path) => path === '' || path.split('/').every(isFolderName), {
      error: 'Enter a folder of the repository: names with / between them.',
    })
    .default(''),
  /** A copy in this format is written beside Limner's own files with each push; null: none. Without it: as it is. */
  format: z.string().trim().min(1).max(200).nullable().optional(),
});
export type GitBindingWrite = z.output<typeof gitBindingWriteSchema>;
export const gitBindingSchema = z.object({
  address: z.string(),
  branch: z.string(),
  folder: z.string(),
  /** Of the copy beside Limner's own files; null: there is none. */
  format: z.string().nullable(),
  /** The commit that both sides had last; null before the first pull or push. */
  base: z.string().nullable(),
  pulled_date: dateTimeSchema.nullable(),
  pushed_date: dateTimeSchema.nullable(),
  /** Of a task: the project whose repository it goes with. */
  project_id: z.int().nullable(),
});
export type GitBinding = z.infer<typeof gitBindingSchema>;

/** Numbers of objects: tags, shapes and tracks. */
export const gitDifferenceSchema = z.object({ added: z.int(), changed: z.int(), removed: z.int() });
export type GitDifference = z.infer<typeof gitDifferenceSchema>;

export const gitConflictSchema = z.object({
  task_id: z.int(),
  task_name: z.string(),
  uid: z.string(),
  kind: z.enum(['tag', 'shape', 'track']),
  frame: z.int(),
  label: z.string(),
  /** As the files of the repository have it; null: not there, or deleted. */
  base: z.record(z.string(), z.unknown()).nullable(),
  mine: z.record(z.string(), z.unknown()).nullable(),
  theirs: z.record(z.string(), z.unknown()).nullable(),
});
export type GitConflict = z.infer<typeof gitConflictSchema>;

export const gitTaskSchema = z.object({
  binding: gitBindingSchema.nullable(),
  /** What a push would bring there; null without a binding. */
  to_push: gitDifferenceSchema.nullable(),
  /** The copy in the chosen format is not there yet, or not as it has to be: a push writes it. */
  copy_is_old: z.boolean(),
});
export type GitTask = z.infer<typeof gitTaskSchema>;

const access = {
  /** The SSH key to use; without it the only one of the person. Not needed for a folder. */
  key_id: z.int().optional(),
  passphrase,
};
export const gitDecisionSchema = z.enum(['mine', 'theirs', 'both']);
export const gitPullWriteSchema = z.object({
  ...access,
  /** On objects that were changed here and there. */
  decisions: z
    .array(z.object({ uid: z.string(), decision: gitDecisionSchema }))
    .max(100_000)
    .default([]),
  /** What becomes of changes that other programs made to the copy in a format: nothing is done before this is said. */
  copy: z.enum(['ask', 'take', 'leave']).default('ask'),
});
export type GitPullWrite = z.infer<typeof gitPullWriteSchema>;
/** What other programs have done to the copy of a task's annotations in a format. */
export const gitCopyChangesSchema = z.object({
  task_id: z.int(),
  task_name: z.string(),
  format: z.string(),
  /** What `take` would change. */
  changed: gitDifferenceSchema,
  /** Changed or removed objects that are none of those here: `take` leaves them out. */
  unmatched: z.int(),
  /** Why nothing of it can be taken; null where it can. */
  reason: z.string().nullable(),
});
export type GitCopyChanges = z.infer<typeof gitCopyChangesSchema>;
export const gitPulledSchema = z.object({
  /** What was changed here. With conflicts: nothing. */
  changed: gitDifferenceSchema,
  /** Changed here and there, and not decided on; the first 500. */
  conflicts: z.array(gitConflictSchema),
  conflict_count: z.int(),
  /** Other programs changed these copies, and it was not said what becomes of that. Nothing was changed here. */
  copies: z.array(gitCopyChangesSchema),
  binding: gitBindingSchema,
});
export type GitPulled = z.infer<typeof gitPulledSchema>;

/** Objects that the copy in a format does not have, or not as they are. Limner's own files have them. */
export const gitLossSchema = z.object({ type: z.string(), label: z.string(), rule: z.string(), count: z.int() });
export type GitLoss = z.infer<typeof gitLossSchema>;

export const gitPushWriteSchema = z.object({
  ...access,
  message: z.string().trim().max(10_000).default(''),
  /** The copy may lack what its format cannot say. Without it a push that loses something new only tells it. */
  accept_losses: z.boolean().default(false),
});
export type GitPushWrite = z.infer<typeof gitPushWriteSchema>;
export const gitPushedSchema = z.object({
  /** Null where there was nothing to push. */
  commit: z.string().nullable(),
  changed: gitDifferenceSchema,
  /** What the copy lacks. */
  losses: z.array(gitLossSchema),
  /** Nothing was sent: the copy would lack more than the one there, and nobody has accepted that. */
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

/** A task of a project, or a folder of its repository, that had no part in what was done, and why. */
export const gitLeftSchema = z.object({ task_id: z.int().nullable(), name: z.string(), reason: z.string() });
export type GitLeft = z.infer<typeof gitLeftSchema>;
const left = { left: z.array(gitLeftSchema) };
export const gitProjectSchema = gitTaskSchema.extend(left);
export type GitProject = z.infer<typeof gitProjectSchema>;
export const gitProjectPulledSchema = gitPulledSchema.extend(left);
export type GitProjectPulled = z.infer<typeof gitProjectPulledSchema>;
export const gitProjectPushedSchema = gitPushedSchema.extend(left);
export type GitProjectPushed = z.infer<typeof gitProjectPushedSchema>;
export const gitProjectRestoredSchema = gitRestoredSchema.extend(left);
export type GitProjectRestored = z.infer<typeof gitProjectRestoredSchema>;
