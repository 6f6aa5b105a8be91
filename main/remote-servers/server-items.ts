import type { RemoteItem, RemoteItemsQuery } from '../../preload/contract/schema/remotes.ts';
import { checkoutRefusal } from './checkout.ts';
import { jobAnswer, organizationAnswer, pageOf, projectAnswer, taskAnswer } from './server-answers.ts';
import type { CvatServer } from './server-client.ts';

const noItem = {
  slug: null,
  project_id: null,
  task_id: null,
  child_count: null,
  frame_count: null,
  start_frame: null,
  stop_frame: null,
  stage: null,
  state: null,
  type: null,
  assignee: null,
  refusal: null,
  remote_job_id: null,
};

/** One page of what is on a server. */
export async function itemsOf(
  server: CvatServer,
  { kind, organization: org, ...given }: RemoteItemsQuery,
  linkOf: (remoteJob: number) => number | null,
): Promise<{ count: number; results: RemoteItem[] }> {
  const path = `/api/${kind}s`;
  const query = { ...given, org: kind === 'organization' ? undefined : org };
  if (kind === 'organization') {
    const { count, results } = await server.read(pageOf(organizationAnswer), path, query);
    return {
      count,
      results: results.map(({ id, slug, name, updated_date: date }) => ({
        ...noItem,
        kind,
        id,
        slug,
        name: name || slug,
        updated_date: date ?? null,
      })),
    };
  }
  if (kind === 'project') {
    const { count, results } = await server.read(pageOf(projectAnswer), path, query);
    return {
      count,
      results: results.map(({ id, name, tasks, assignee, status, updated_date, ...media }) => ({
        ...noItem,
        kind,
        id,
        name,
        child_count: tasks.count,
        assignee: assignee?.username ?? null,
        state: status ?? null,
        updated_date,
        refusal: checkoutRefusal(media),
      })),
    };
  }
  if (kind === 'task') {
    const { count, results } = await server.read(pageOf(taskAnswer), path, query);
    return {
      count,
      results: results.map(({ id, name, project_id, jobs, size, assignee, status, updated_date, ...media }) => ({
        ...noItem,
        kind,
        id,
        name,
        project_id: project_id ?? null,
        child_count: jobs.count,
        frame_count: size ?? null,
        assignee: assignee?.username ?? null,
        state: status ?? null,
        updated_date,
        refusal: checkoutRefusal(media),
      })),
    };
  }
  const { count, results } = await server.read(pageOf(jobAnswer), path, query);
  return {
    count,
    results: results.map((job) => ({
      ...noItem,
      kind,
      id: job.id,
      name: `${job.task_name ?? `Task ${job.task_id}`}, job ${job.id}`,
      project_id: job.project_id ?? null,
      task_id: job.task_id,
      frame_count: job.frame_count ?? job.stop_frame - job.start_frame + 1,
      start_frame: job.start_frame,
      stop_frame: job.stop_frame,
      stage: job.stage,
      state: job.state,
      type: job.type,
      assignee: job.assignee?.username ?? null,
      updated_date: job.updated_date,
      refusal: checkoutRefusal(job),
      remote_job_id: linkOf(job.id),
    })),
  };
}
