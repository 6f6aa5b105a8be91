import type { SecretBox } from '../platform/secrets.ts';
import { createRemoteService } from '../remote-servers/remote-service.ts';
import type { Foundation } from './foundation.ts';
import type { createWork } from './work.ts';

export type RemoteWork = Pick<ReturnType<typeof createWork>, 'services' | 'prepareTask'>;

/** CVAT servers as the other end of local tasks. */
export function createRemotes(
  { database, dataDirectory, clock, access, queue, requests, webhooks, repositories }: Foundation,
  { services, prepareTask }: RemoteWork,
  secrets: SecretBox,
) {
  const { tasks, jobs, issues, labelRows, users } = repositories;
  return createRemoteService({
    database,
    dataDirectory,
    clock,
    access,
    queue,
    requests,
    secrets,
    users,
    tasks,
    jobs,
    issues,
    labelRows,
    prepareTask,
    addressSettings: webhooks.addressSettings,
    annotations: services.annotations,
    issueService: services.issues,
    jobService: services.jobs,
    taskService: services.tasks,
    projectService: services.projects,
    guides: services.guides,
    frames: services.frames,
    frameService: services.frames,
    labelsOfProject: (id) => labelRows.list({ kind: 'project', id }),
    taskIdsOfProject: tasks.idsOfProject,
    projectName: (actor, id) => services.projects.get(actor, id).name,
  });
}
