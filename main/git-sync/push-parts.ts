import type { GitLoss, GitSkipped } from '../../preload/contract/schema/git.ts';
import type { Actor } from '../users/access/actor.ts';
import type { AnnotationDigests } from '../work/annotations/annotation-digest-repository.ts';
import type { TaskFacts } from './annotation-files.ts';
import type { Bound, Counts } from './exchange-parts.ts';
import type { FileChanges } from './git-store.ts';

interface Sent {
  readonly changes: FileChanges;
  /** Call after the changes were read. */
  readonly counted: () => Counts;
}

/** A task whose folder was compared with the repository. */
export interface Compared {
  readonly taskId: number;
  /** Relative to the binding. */
  readonly folder: string;
  readonly facts: TaskFacts;
  /** Call after the changes were read. */
  readonly digests: () => AnnotationDigests;
  /** Null if the folder is up to date. */
  readonly sent: Sent | null;
  /** Call before and after the push: an interrupted one leaves the same uids on both sides. */
  readonly remember: () => Promise<void>;
  /** Binds a new task, after the push. */
  readonly bind: () => void;
}

export interface Prepared {
  readonly tasks: readonly Compared[];
  readonly losses: readonly (readonly GitLoss[])[];
  readonly needsAcceptance: boolean;
  readonly skipped: readonly GitSkipped[];
}

export interface Place {
  readonly actor: Actor;
  readonly bound: Bound;
  readonly there: string | null;
  readonly signal: AbortSignal;
}
