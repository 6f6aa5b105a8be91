import { labeledDataSchema } from '../../preload/contract/schema/annotations.ts';
import type { Label, LabelWrite } from '../../preload/contract/schema/labels.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../users/access/actor.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import type { IssueRepository } from '../work/issues/issue-repository.ts';
import type { JobRepository } from '../work/tables/job-repository.ts';
import { labelOwner, type LabelRepository } from '../work/tables/label-repository.ts';
import type { TaskRepository } from '../work/tables/task-repository.ts';
import { createFrameNumbers } from './frame-numbers.ts';
import type { JobContent } from './job-sides.ts';
import type { LinkRow } from './remote-repository.ts';
import { commentAnswer, issueAnswer, jobAnswer, labelAnswer, type JobAnswer } from './server-answers.ts';
import type { CvatServer } from './server-client.ts';

export interface RemoteContent extends JobContent {
  readonly job: JobAnswer;
}

const readSteps = ['job', 'labels', 'annotations', 'issues', 'comments'] as const;
/** Told before each step, with the fraction of the steps that are done. */
type ReadProgress = (fraction: number, step: (typeof readSteps)[number]) => void;

/** Reads a job of the server. Its date is read first, so that a later change is noticed by comparing dates. */
export async function readRemote(
  server: CvatServer,
  link: LinkRow,
  progress: ReadProgress = () => undefined,
): Promise<RemoteContent> {
  const id = link.remote_job_id;
  const frames = createFrameNumbers(link);
  const at = (step: (typeof readSteps)[number]): void => progress(readSteps.indexOf(step) / readSteps.length, step);
  at('job');
  const job = await server.read(jobAnswer, `/api/jobs/${id}`);
  at('labels');
  const labels = await server.list(labelAnswer, '/api/labels', { job_id: id });
  at('annotations');
  const data = await server.read(labeledDataSchema, `/api/jobs/${id}/annotations/`);
  at('issues');
  const issues = await server.list(issueAnswer, '/api/issues', { job_id: id, sort: 'id' });
  at('comments');
  const comments =
    issues.length === 0 ? [] : await server.list(commentAnswer, '/api/comments', { job_id: id, sort: 'id' });
  return {
    job,
    labels,
    data: frames.dataToLocal(data),
    issues: issues.map((issue) => ({ ...issue, frame: frames.toLocal(issue.frame) })),
    comments: comments.map(({ id: commentId, issue, message, owner }) => ({
      id: commentId,
      issue,
      message,
      author: owner?.username ?? '',
    })),
    step: { id, stage: job.stage, state: job.state },
  };
}

export interface LocalReads {
  readonly annotations: AnnotationService;
  readonly issues: IssueRepository;
  readonly jobs: JobRepository;
  readonly tasks: Pick<TaskRepository, 'get'>;
  readonly labelRows: LabelRepository;
}

/** Checks the right to view the job. */
export function readLocal({ annotations, issues, jobs, tasks, labelRows }: LocalReads, actor: Actor, link: LinkRow) {
  const jobId = localJob(link);
  const data = annotations.readJob(actor, jobId);
  const job = jobs.get(jobId);
  const task = tasks.get(link.task_id);
  if (!job || !task) throw new AppError('not-found', `The local job of "${link.name}" was deleted.`);
  const found = issues.ofJob(jobId);
  const content: JobContent = {
    data,
    labels: labelRows.list(labelOwner(task.project_id, task.id)),
    issues: found.map(({ id, frame, position, resolved }) => ({
      id,
      frame,
      position: JSON.parse(position) as number[],
      resolved: resolved === 1,
    })),
    comments: found.flatMap(({ id: issue }) =>
      issues.commentsOf(issue).map(({ id, message }) => ({ id, issue, message, author: '' })),
    ),
    step: { id: jobId, stage: job.stage, state: job.state },
  };
  return { content, task };
}

/** @throws AppError 409 before the checkout is complete */
export function localJob({ job_id: id, name }: LinkRow): number {
  if (id !== null) return id;
  throw new AppError('conflict', `The checkout of "${name}" is not complete. Check it out again to continue.`);
}

/** Labels and attributes that one end has and the other lacks, by name. */
export function missingLabels(from: readonly LabelWrite[], to: readonly Label[]): LabelWrite[] {
  return from.flatMap((label): LabelWrite[] => {
    const same = to.find(({ name }) => name === label.name);
    if (same === undefined) return [label];
    const attributes = label.attributes?.filter(({ name }) => !same.attributes.some((one) => one.name === name)) ?? [];
    return attributes.length === 0 ? [] : [{ id: same.id, attributes }];
  });
}
