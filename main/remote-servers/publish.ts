import { openAsBlob } from 'node:fs';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { RemotePublicationWrite } from '../../preload/contract/schema/remotes.ts';
import { RequestFailure } from '../background-requests/request-end.ts';
import type { RequestRunner } from '../background-requests/request-queue.ts';
import { backupLabel } from '../import-export/export/backup-task-writer.ts';
import { unlessAborted, withGrace } from '../platform/aborting.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../users/access/actor.ts';
import { requester } from '../users/accounts/requester.ts';
import type { FrameService } from '../work/tasks/frame-service.ts';
import type { JobRow } from '../work/tables/job-table.ts';
import { labelOwner } from '../work/tables/label-repository.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import type { WorkAccess } from '../work/work-access.ts';
import type { CheckoutDependencies } from './checkout.ts';
import { graceMs, pushJob } from './exchange-runner.ts';
import { stepUid } from './job-sides.ts';
import type { ServerRow } from './remote-repository.ts';
import {
  createdAnswer,
  jobAnswer,
  requestAnswer,
  startedAnswer,
  taskAnswer,
  type JobAnswer,
} from './server-answers.ts';
import type { CvatServer } from './server-client.ts';

export interface PublishDependencies extends CheckoutDependencies {
  readonly access: WorkAccess;
  readonly taskIdsOfProject: (projectId: number) => number[];
  readonly projectName: (actor: Actor, projectId: number) => string;
  readonly frames: Pick<FrameService, 'ofTask' | 'of' | 'taskMeta'>;
}

export interface PublishParameters extends RemotePublicationWrite {
  readonly serverId: number;
}

interface Publication {
  readonly actor: Actor;
  readonly row: ServerRow;
  readonly server: CvatServer;
  readonly signal: AbortSignal;
  /** Slug of the organization; empty: personal. */
  readonly org: string;
}

type Progress = (fraction: number, message: string) => void;

const batchFiles = 50;
const batchBytes = 64 * 1024 * 1024;
const pollMs = 500;
const imageQuality = 70;

/** Creates a task on the server with the images of a local one, then follows its jobs and pushes their annotations. */
export function createPublishRunner(dependencies: PublishDependencies): RequestRunner {
  const { users, remotes, access } = dependencies;
  return async (request, run) => {
    const actor = requester(users, request);
    const { serverId, kind, id, org } = JSON.parse(request.parameters) as PublishParameters;
    const row = remotes.server(serverId, actor.userId);
    if (!row) throw new AppError('not-found', 'The connection to this server was deleted.');
    const ids = kind === 'task' ? [id] : dependencies.taskIdsOfProject(id);
    // Checked before anything is sent.
    const tasks = ids.map((taskId) =>
      publishable(dependencies, access.task(actor, taskId, 'view:data', 'view:annotations')),
    );
    let done = 0;
    const publish = async (server: CvatServer): Promise<void> => {
      const publication: Publication = { actor, row, server, signal: run.signal, org };
      const projectId = kind === 'task' ? null : await publishProject(dependencies, publication, id);
      for (const [index, one] of tasks.entries()) {
        const part: Progress = (fraction, message) => run.progress((index + fraction) / tasks.length, message);
        run.signal.throwIfAborted();
        await publishTask(dependencies, publication, { ...one, projectId }, part);
        done += 1;
      }
    };
    try {
      // The connection outlasts a cancellation, so that no task is left incomplete on the server.
      await withGrace(run.signal, graceMs, (signal) => dependencies.open(row, publish, signal));
    } catch (error) {
      if (!run.signal.aborted) throw error;
      const left = error instanceof RequestFailure ? ` ${error.message}` : '';
      throw new RequestFailure(
        `Cancelled. ${done} of ${tasks.length} tasks are published.${left} Publish again to continue.`,
      );
    }
    const others = tasks.reduce((sum, one) => sum + one.others, 0);
    const more = others === 0 ? '' : ` ${others} jobs of other types (ground truth, replicas) were left out.`;
    const { host } = new URL(row.address);
    return { message: `Published ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} on ${host}.${more}` };
  };
}

interface Publishable {
  readonly task: TaskRow;
  readonly own: readonly JobRow[];
  /** Number of jobs that are not published. */
  readonly others: number;
}

function publishable({ jobs }: PublishDependencies, task: TaskRow): Publishable {
  const all = jobs.ofTask(task.id);
  const own = all.filter(({ type }) => type === 'annotation').toSorted((a, b) => a.start_frame - b.start_frame);
  const cannot = (reason: string) =>
    new AppError('conflict', `Cannot publish task ${task.id} "${task.name}": ${reason}`);
  const [first] = own;
  if (task.media_id === null || !first) throw cannot('it has no images yet. Add images first.');
  if (first.media_kind === 'video')
    throw cannot('videos cannot be published. Export its frames to a task, and publish that.');
  if (first.honeypots_per_job !== null) throw cannot('it has a validation pool, which cannot be published.');
  return { task, own, others: all.length - own.length };
}

async function publishProject(
  dependencies: PublishDependencies,
  publication: Publication,
  id: number,
): Promise<number> {
  const { remotes, database } = dependencies;
  const { actor, row, server, org } = publication;
  const name = dependencies.projectName(actor, id);
  const known = remotes.remoteProject(row.id, id);
  if (known !== undefined) return known;
  const labels = dependencies.labelsOfProject(id).map(backupLabel);
  const created = await server.send(createdAnswer, {
    method: 'POST',
    path: '/api/projects',
    query: { org },
    json: { name, labels },
  });
  database.write(() => remotes.putProject(row.id, created.id, id));
  return created.id;
}

async function publishTask(
  dependencies: PublishDependencies,
  publication: Publication,
  { task, own, projectId }: Publishable & { readonly projectId: number | null },
  progress: Progress,
): Promise<void> {
  const { remotes } = dependencies;
  const { actor, row, server, signal } = publication;
  const remoteId = await taskWithImages(dependencies, publication, { task, own, projectId }, progress);
  const found = (await server.list(jobAnswer, '/api/jobs', { task_id: remoteId, sort: 'id' }))
    .filter(({ type }) => type === 'annotation')
    .toSorted((a, b) => a.start_frame - b.start_frame);
  const isSame = (job: JobRow, index: number): boolean =>
    found[index]?.start_frame === job.start_frame && found[index].stop_frame === job.stop_frame;
  if (found.length !== own.length || !own.every(isSame)) {
    await discard(dependencies, publication, task.id, remoteId);
    const message = `Cannot publish task ${task.id} "${task.name}": ${server.host} divides it into other jobs. The task there was deleted again.`;
    throw new AppError('conflict', message);
  }
  for (const [index, job] of own.entries()) {
    const remote = found[index];
    if (!remote) continue;
    const link = follow(dependencies, publication, { task, job, remote, projectId });
    const open = remotes.link(link, actor.userId);
    progress(0.9 + (0.1 * index) / own.length, `Task ${task.id}: annotations of job ${job.id}`);
    if (open) await pushJob(dependencies, { actor, link: open, row }, { signal });
    signal.throwIfAborted();
  }
}

/** A task with jobs is complete. One without was left by an interrupted publication, and is created again. */
async function taskWithImages(
  dependencies: PublishDependencies,
  publication: Publication,
  { task, own, projectId }: Omit<Publishable, 'others'> & { readonly projectId: number | null },
  progress: Progress,
): Promise<number> {
  const { remotes, database, labelRows } = dependencies;
  const { row, server, signal, org } = publication;
  const known = remotes.remoteTask(row.id, task.id);
  if (known !== undefined) {
    const there = await orNull(server.read(taskAnswer, `/api/tasks/${known}`));
    if (there !== null && there.jobs.count > 0) return known;
    await discard(dependencies, publication, task.id, there === null ? null : known);
  }
  const labels = labelRows.list(labelOwner(task.project_id, task.id)).map(backupLabel);
  const created = await server.send(createdAnswer, {
    method: 'POST',
    path: '/api/tasks',
    query: projectId === null ? { org } : {},
    json: {
      name: task.name,
      subset: task.subset,
      segment_size: own.length === 1 ? 0 : task.segment_size,
      overlap: task.overlap ?? 0,
      ...(projectId === null ? { labels } : { project_id: projectId }),
    },
  });
  database.write(() => remotes.putTask(row.id, created.id, task.id));
  try {
    await unlessAborted(sendImages(dependencies, publication, task, created.id, progress), signal);
  } catch (error) {
    if (signal.aborted) await removeIncomplete(dependencies, publication, task, created.id);
    throw error;
  }
  return created.id;
}

async function discard(
  { remotes, database }: PublishDependencies,
  { row, server }: Publication,
  taskId: number,
  remoteId: number | null,
): Promise<void> {
  if (remoteId !== null) await server.send(z.undefined(), { method: 'DELETE', path: `/api/tasks/${remoteId}` });
  database.write(() => remotes.removeTask(row.id, taskId));
}

async function removeIncomplete(
  dependencies: PublishDependencies,
  publication: Publication,
  task: TaskRow,
  remoteId: number,
): Promise<void> {
  try {
    await discard(dependencies, publication, task.id, remoteId);
  } catch {
    const { host } = publication.server;
    throw new RequestFailure(`Task ${remoteId} on ${host} has no images and could not be deleted.`);
  }
}

async function orNull<Result>(answer: Promise<Result>): Promise<Result | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}

async function sendImages(
  { frames }: PublishDependencies,
  { actor, server, signal }: Publication,
  task: TaskRow,
  remoteId: number,
  progress: Progress,
): Promise<void> {
  const { FormData } = await import('undici');
  const path = `/api/tasks/${remoteId}/data/`;
  const meta = await frames.taskMeta(actor, task.id);
  const all = meta.frames ?? [];
  const names = fileNames(all.map(({ name }) => name));
  const source = frames.of(frames.ofTask(actor, task.id));
  const post = <Schema extends z.ZodType>(schema: Schema, rest: object) =>
    server.send(schema, { method: 'POST', path, ...rest });
  await post(z.unknown(), { headers: { 'Upload-Start': '' } });
  let form = new FormData();
  let [count, bytes] = [0, 0];
  const flush = async (): Promise<void> => {
    if (count === 0) return;
    form.append('image_quality', String(imageQuality));
    await post(z.unknown(), { headers: { 'Upload-Multiple': '' }, form });
    form = new FormData();
    [count, bytes] = [0, 0];
  };
  for (const [frame, name] of names.entries()) {
    const content = await source.frame(frame, 'original', signal);
    const blob = 'bytes' in content ? new Blob([new Uint8Array(content.bytes)]) : await openAsBlob(content.path);
    form.append(`client_files[${count}]`, blob, name);
    count += 1;
    bytes += blob.size;
    if (count >= batchFiles || bytes >= batchBytes) await flush();
    progress((frame / names.length) * 0.8, `Task ${task.id}: ${frame + 1} of ${names.length} images`);
  }
  await flush();
  const json = { image_quality: imageQuality, sorting_method: 'predefined', upload_file_order: names };
  const { rq_id: id } = await post(startedAnswer, { headers: { 'Upload-Finish': '' }, json });
  for (;;) {
    const { status, message } = await server.read(requestAnswer, `/api/requests/${encodeURIComponent(id)}`);
    if (status === 'finished') break;
    if (status === 'failed')
      throw new AppError('conflict', `${server.host} cannot prepare the images of task ${task.id}: ${message ?? ''}`);
    progress(0.85, `Task ${task.id}: ${server.host} prepares the images`);
    await sleep(pollMs, undefined, { signal });
  }
  if (meta.deleted_frames.length > 0)
    await server.send(z.unknown(), {
      method: 'PATCH',
      path: `${path}meta`,
      json: { deleted_frames: meta.deleted_frames },
    });
}

/** File names without folders, which servers drop, each once. */
function fileNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, frame) => {
    const flat = name.replaceAll(/[\\/]/g, '_');
    const unique = taken.has(flat) ? `${String(frame).padStart(6, '0')}${extname(flat)}` : flat;
    taken.add(unique);
    return unique;
  });
}

/** Links the two jobs. The server's stage is new, so that of the local job is pushed. */
function follow(
  { remotes, database, clock }: PublishDependencies,
  { row }: Publication,
  {
    task,
    job,
    remote,
    projectId,
  }: { readonly task: TaskRow; readonly job: JobRow; readonly remote: JobAnswer; readonly projectId: number | null },
): number {
  return database.write(() => {
    const known = remotes.linkOf(row.id, remote.id);
    if (known) return known.id;
    const id = remotes.insertLink({
      server_id: row.id,
      remote_job_id: remote.id,
      remote_task_id: remote.task_id,
      remote_project_id: projectId,
      name: `${task.name}, job ${remote.id}`,
      task_id: task.id,
      job_id: job.id,
      first_frame: 0,
      frames: null,
      frame_count: job.stop_frame - job.start_frame + 1,
      is_ready: 1,
    });
    const text = JSON.stringify({ kind: 'job', stage: remote.stage, state: remote.state });
    const common = { uid: stepUid, kind: 'job', local_id: job.id, remote_id: remote.id, there: text } as const;
    remotes.putObject(id, { ...common, here: '', sending: null });
    remotes.pulled(id, clock());
    return id;
  });
}
