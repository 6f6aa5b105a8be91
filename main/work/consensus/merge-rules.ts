import type { TaskRow } from '../tables/task-table.ts';
import type { MergeCounts } from './merge-replicas.ts';
import type { ReplicatedJob } from './replicas.ts';

/**
 * True if the job can be merged. Jobs past the annotation stage are not overwritten, because their work has moved on.
 */
export const isOpen = ({ parent, begun }: ReplicatedJob): boolean => parent.stage === 'annotation' && begun.length > 0;

/** Returns the reason why nothing can be merged; null if it can. */
export function whyNot(
  task: Pick<TaskRow, 'consensus_replicas'>,
  all: readonly ReplicatedJob[],
  jobId: number | null,
): string | null {
  if (task.consensus_replicas === 0)
    return 'Consensus is not enabled in this task: the number of replicas is set when a task is created.';
  if (jobId === null) {
    return all.some(isOpen)
      ? null
      : 'No annotation jobs in the annotation stage have a replica that is started or has annotations.';
  }
  const wanted = all.find(({ parent }) => parent.id === jobId);
  const none = `No annotated consensus jobs found for parent job ${jobId}.`;
  if (wanted === undefined) return `${none} Merge the job that replicas were created for.`;
  if (wanted.parent.stage !== 'annotation')
    return `Cannot merge job ${jobId}: it is past the annotation stage, and a merge would replace reviewed annotations. Set its stage back first.`;
  return wanted.begun.length === 0 ? `${none} Start or annotate at least one of its replicas first.` : null;
}

export const neededOf = (quorum: number, count: number): number =>
  // The tolerance absorbs rounding: 0.1 * 3 is slightly more than 0.3.
  Math.min(count, Math.max(1, Math.ceil(quorum * count - 1e-9)));

export interface MergedJob {
  readonly job: ReplicatedJob;
  readonly merged: MergeCounts;
  readonly needed: number;
}

export function mergeMessage(done: readonly MergedJob[], all: readonly ReplicatedJob[]): string {
  const sum = (of: (one: MergedJob) => number): number => done.reduce((total, one) => total + of(one), 0);
  const objects = sum(({ merged }) => merged.objects);
  const [left, undecided] = [sum(({ merged }) => merged.left), sum(({ merged }) => merged.undecided)];
  const [begun, made] = [sum(({ job }) => job.begun.length), sum(({ job }) => job.replicas.length)];
  const chosen = new Set(done.map(({ job }) => job.parent.id));
  const skipped = all.filter(({ parent }) => !chosen.has(parent.id));
  return [
    `${begun} of ${made} replicas were merged into ${done.length === 1 ? `job ${[...chosen][0]}` : `${done.length} jobs`}: ${counted(objects, 'object') ?? 'no object'}.`,
    left === 0
      ? ''
      : `${counted(left, 'object')} dropped, because too few replicas agree on ${left === 1 ? 'it' : 'them'}.`,
    undecided === 0
      ? ''
      : `The label of ${counted(undecided, 'object')} was a tie: the label with the better fit was chosen.`,
    skipped.length === 0
      ? ''
      : `Not merged, because past annotation or without a started replica: ${namesOf(skipped)}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const named = 10;
function namesOf(jobs: readonly ReplicatedJob[]): string {
  const names = jobs.slice(0, named).map(({ parent }) => String(parent.id));
  return `job ${names.join(', ')}${jobs.length > named ? ` and ${jobs.length - named} more` : ''}`;
}

const counted = (count: number, what: string): string | null =>
  count === 0 ? null : `${count} ${what}${count === 1 ? '' : 's'}`;
