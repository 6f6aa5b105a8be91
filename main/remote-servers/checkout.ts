import { rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { RemoteCheckoutWrite } from '../../preload/contract/schema/remotes.ts';
import { dataRequestSchema } from '../../preload/contract/schema/resources.ts';
import { RequestFailure } from '../background-requests/request-end.ts';
import type { RequestRow } from '../background-requests/request-repository.ts';
import type { RequestRun, RequestRunner } from '../background-requests/request-queue.ts';
import { backupLabel } from '../import-export/export/backup-task-writer.ts';
import { createDurableFiles } from '../platform/durable-files.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../users/access/actor.ts';
import { requester } from '../users/accounts/requester.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';
import type { createGuideService } from '../work/guides/guide-service.ts';
import type { FrameService } from '../work/tasks/frame-service.ts';
import type { RemoteExchange } from './exchange.ts';
import type { ExchangeDependencies } from './exchange-parts.ts';
import { localJob, missingLabels } from './job-content.ts';
import type { FrameRow, LinkRow, ServerRow } from './remote-repository.ts';
import { guideAnswer, jobAnswer, labelAnswer, metaAnswer, type JobAnswer, type MetaAnswer } from './server-answers.ts';
import type { CvatServer } from './server-client.ts';

export interface CheckoutDependencies extends ExchangeDependencies {
  readonly dataDirectory: string;
  readonly users: UserRepository;
  readonly exchange: RemoteExchange;
  readonly guides: ReturnType<typeof createGuideService>;
  readonly frameService: Pick<FrameService, 'updateJobMeta'>;
  readonly labelsOfProject: (projectId: number) => ReturnType<ExchangeDependencies['labelRows']['list']>;
  /** Prepares the images of a task and creates its jobs. */
  readonly prepareTask: RequestRunner;
  readonly open: <Result>(
    server: ServerRow,
    use: (server: CvatServer) => Promise<Result>,
    signal?: AbortSignal,
  ) => Promise<Result>;
}

export interface CheckoutParameters extends RemoteCheckoutWrite {
  readonly serverId: number;
}

interface Checkout {
  readonly actor: Actor;
  readonly row: ServerRow;
  readonly server: CvatServer;
  readonly budget: number;
  readonly request: RequestRow;
  readonly run: RequestRun;
}

const parallelDownloads = 4;
const megabyte = 1_000_000;

/** Sentence that tells why a job or task cannot be checked out; null if it can. */
export function checkoutRefusal({
  dimension,
  media_type: type,
}: Pick<JobAnswer, 'dimension' | 'media_type'>): string | null {
  if (dimension === '3d' || type === 'point_cloud') return 'Point clouds cannot be checked out.';
  if (dimension === '1d' || type === 'audio') return 'Audio cannot be checked out.';
  return null;
}

/**
 * Checks jobs out, one after the other. Frames that are here are not loaded again, so a repeated request continues where
 * an earlier one ended.
 */
export function createCheckoutRunner(dependencies: CheckoutDependencies): RequestRunner {
  const { users, remotes } = dependencies;
  return async (request, run) => {
    const actor = requester(users, request);
    const { serverId, kind, id, budget_bytes: budget } = JSON.parse(request.parameters) as CheckoutParameters;
    const row = remotes.server(serverId, actor.userId);
    if (!row) throw new AppError('not-found', 'The connection to this server was deleted.');
    const checkedOut = dependencies.open(
      row,
      async (server) => {
        const { jobs, others } = await jobsOf(server, kind, id);
        const checkout: Checkout = { actor, row, server, budget, request, run };
        for (const [index, job] of jobs.entries()) {
          const part = (fraction: number, message: string) => run.progress((index + fraction) / jobs.length, message);
          await checkOutJob(dependencies, checkout, job, part);
        }
        const left =
          others === 0
            ? ''
            : ` ${others} jobs of other types (ground truth, replicas) were left out; check them out by their ids.`;
        return { message: `${jobs.length} ${jobs.length === 1 ? 'job is' : 'jobs are'} checked out.${left}` };
      },
      run.signal,
    );
    return checkedOut.catch((error: unknown) => {
      throw run.signal.aborted
        ? new RequestFailure('Cancelled. Loaded frames stay. Check out again to continue.')
        : error;
    });
  };
}

async function jobsOf(server: CvatServer, kind: RemoteCheckoutWrite['kind'], id: number) {
  if (kind === 'job') return { jobs: [await server.read(jobAnswer, `/api/jobs/${id}`)], others: 0 };
  const found = await server.list(jobAnswer, '/api/jobs', { [`${kind}_id`]: id, sort: 'id' });
  const jobs = found.filter(({ type }) => type === 'annotation');
  if (jobs.length > 0) return { jobs, others: found.length - jobs.length };
  throw new AppError('conflict', `The ${kind} ${id} of ${server.host} has no jobs, or you have no access to it.`);
}

async function checkOutJob(
  dependencies: CheckoutDependencies,
  checkout: Checkout,
  job: JobAnswer,
  progress: (fraction: number, message: string) => void,
): Promise<void> {
  const { actor, row, server } = checkout;
  const { remotes } = dependencies;
  const refusal = checkoutRefusal(job);
  if (refusal !== null) throw new AppError('conflict', `Job ${job.id} of ${server.host}: ${refusal}`);
  const known = remotes.linkOf(row.id, job.id);
  if (known?.is_ready === 1) return progress(1, `Job ${job.id} is here already`);
  const link = known ?? (await createLink(dependencies, checkout, job, await metaOf(server, job.id)));
  await loadFrames(dependencies, checkout, link, (done) =>
    progress((done / link.frame_count) * 0.9, `Job ${job.id}: ${done} of ${link.frame_count} frames`),
  );
  progress(0.9, `Job ${job.id}: preparing the images`);
  await prepareImages(dependencies, checkout, link);
  const ready = remotes.link(link.id, actor.userId);
  if (!ready) throw new AppError('not-found', `The local task of "${link.name}" was deleted.`);
  progress(0.95, `Job ${job.id}: annotations`);
  const open = { actor, link: ready, server };
  await dependencies.exchange.pull(open, { dry_run: false, decisions: [] }, { signal: checkout.run.signal }, true);
  await loadGuide(dependencies, checkout, ready, job);
  dependencies.database.write(() => remotes.setReady(link.id, dependencies.clock()));
  await rm(folderOf(dependencies, link), { recursive: true, force: true });
}

const metaOf = (server: CvatServer, job: number): Promise<MetaAnswer> =>
  server.read(metaAnswer, `/api/jobs/${job}/data/meta`);

const folderOf = ({ dataDirectory }: CheckoutDependencies, { id }: Pick<LinkRow, 'id'>): string =>
  join(dataDirectory, 'data', 'remote-jobs', String(id));

/** Numbers of the job's frames on the server. */
function framesOf(job: JobAnswer, meta: MetaAnswer): { readonly numbers: number[]; readonly isListed: boolean } {
  const included = meta.included_frames ?? null;
  if (included !== null) return { numbers: [...included], isListed: true };
  const numbers = Array.from({ length: job.stop_frame - job.start_frame + 1 }, (_, index) => job.start_frame + index);
  return { numbers, isListed: false };
}

/** Names of the local files, in the order of the frames. A video has one name for all its frames. */
function namesOf(numbers: readonly number[], { frames }: MetaAnswer): string[] {
  const given = frames ?? [];
  const padded = (frame: number): string => String(frame).padStart(6, '0');
  if (given.length !== numbers.length) return numbers.map((frame) => `frame_${padded(frame)}.png`);
  const names = given.map(({ name }) =>
    name
      .replaceAll('\\', '/')
      .split('/')
      .filter((part) => part !== '' && part !== '..')
      .join('/'),
  );
  const isUnique = new Set(names.map((name) => name.toLowerCase())).size === names.length;
  return isUnique ? names : numbers.map((frame, index) => `${padded(frame)}_${names[index]?.split('/').at(-1) ?? ''}`);
}

/** Creates the local task, empty, together with its link, so that a repeated request finds it. */
async function createLink(
  dependencies: CheckoutDependencies,
  { actor, row, server }: Checkout,
  job: JobAnswer,
  meta: MetaAnswer,
): Promise<LinkRow> {
  const { database, remotes, taskService, projectService } = dependencies;
  const labels = (await server.list(labelAnswer, '/api/labels', { job_id: job.id })).map(backupLabel);
  const { numbers, isListed } = framesOf(job, meta);
  if (numbers.length === 0) throw new AppError('conflict', `Job ${job.id} of ${server.host} has no frames.`);
  const names = namesOf(numbers, meta);
  const name = `${job.task_name ?? `Task ${job.task_id}`}, job ${job.id}`.slice(0, 256);
  const link = database.write(() => {
    const projectId = projectOf();
    const body = { name, labels: projectId === null ? labels : [], bug_tracker: '', segment_size: 0, subset: '' };
    const task = taskService.create(actor, { ...body, project_id: projectId });
    const id = remotes.insertLink({
      server_id: row.id,
      remote_job_id: job.id,
      remote_task_id: job.task_id,
      remote_project_id: job.project_id ?? null,
      name,
      task_id: task.id,
      job_id: null,
      first_frame: numbers[0] ?? 0,
      frames: isListed ? JSON.stringify(numbers) : null,
      frame_count: numbers.length,
      is_ready: 0,
    });
    for (const [frame, file] of names.entries()) remotes.addFrame(id, frame, file);
    return remotes.link(id, actor.userId);
  });
  if (!link) throw new AppError('internal', 'The checkout was not stored.');
  return link;

  function projectOf(): number | null {
    if (job.project_id === null || job.project_id === undefined) return null;
    const local = remotes.localProject(row.id, job.project_id);
    if (local !== null) {
      const missing = missingLabels(labels, dependencies.labelsOfProject(local));
      if (missing.length > 0) projectService.update(actor, local, { labels: missing });
      return local;
    }
    const projectName = (job.project_name ?? `Project ${job.project_id}`).slice(0, 256);
    const project = projectService.create(actor, { name: projectName, labels, bug_tracker: '' });
    remotes.putProject(row.id, job.project_id, project.id);
    return project.id;
  }
}

async function loadFrames(
  dependencies: CheckoutDependencies,
  { actor, server, budget, run }: Checkout,
  link: LinkRow,
  onDone: (count: number) => void,
): Promise<void> {
  if (link.job_id !== null) return;
  const { remotes, database } = dependencies;
  const folder = folderOf(dependencies, link);
  await createDurableFiles().makeFolder(folder);
  const all = remotes.frames(link.id);
  const open = all.filter(({ bytes }) => bytes === null);
  let done = all.length - open.length;
  let used = remotes.frameBytes(actor.userId);
  const numbers = link.frames === null ? null : (JSON.parse(link.frames) as number[]);
  const queue = open.values();
  async function load(): Promise<void> {
    for (const { frame, name } of queue) {
      run.signal.throwIfAborted();
      if (used >= budget) throw overBudget(link, { used, budget, left: all.length - done });
      const number = numbers?.[frame] ?? link.first_frame + frame;
      const query = { type: 'frame', quality: 'original', number };
      const file = join(folder, fileOf(frame, name));
      const bytes = await server.save(`/api/jobs/${link.remote_job_id}/data`, query, file);
      database.syncLater(() => remotes.storeFrame(link.id, frame, bytes));
      used += bytes;
      done += 1;
      onDone(done);
    }
  }
  onDone(done);
  const results = await Promise.allSettled(Array.from({ length: parallelDownloads }, load));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  await database.onDisk();
}

const fileOf = (frame: number, name: string): string => `${frame}${extname(name)}`;

const megabytes = (bytes: number): string => `${(bytes / megabyte).toFixed(1)} MB`;

const overBudget = (
  { name, frame_count: count }: LinkRow,
  { used, budget, left }: { readonly used: number; readonly budget: number; readonly left: number },
): AppError =>
  new AppError(
    'conflict',
    `The checkout of "${name}" stopped: frames of servers use ${megabytes(used)} of ${megabytes(budget)}, and ${left} of ${count} are missing. Check it out again with a larger budget to continue.`,
  );

/** Turns the files into the images of the local task. */
async function prepareImages(
  dependencies: CheckoutDependencies,
  { actor, server, request, run }: Checkout,
  link: LinkRow,
): Promise<void> {
  const { tasks, jobs, remotes, database, frameService, prepareTask } = dependencies;
  if (link.job_id !== null) return;
  const folder = folderOf(dependencies, link);
  const frames = remotes.frames(link.id);
  const before = tasks.get(link.task_id);
  if (!before) throw new AppError('not-found', `The local task of "${link.name}" was deleted.`);
  if (before.media_id === null) {
    const parameters = JSON.stringify({
      request: dataRequestSchema.parse({
        sorting_method: 'predefined',
        upload_file_order: frames.map(({ name }) => name),
        accept_damaged: true,
      }),
      uploads: frames.map(({ frame, name }: FrameRow) => ({ name, file: join(folder, fileOf(frame, name)) })),
      uploadDirectory: null,
    });
    const silent = { ...run, progress: () => undefined, keepReport: () => undefined };
    await prepareTask({ ...request, task_id: link.task_id, project_id: before.project_id, parameters }, silent);
  }
  const size = tasks.get(link.task_id)?.size ?? 0;
  const [jobId] = jobs.ofTask(link.task_id).map(({ id }) => id);
  if (size !== link.frame_count || jobId === undefined) {
    database.write(() => dependencies.taskService.remove(actor, link.task_id));
    const message = `Cannot check out "${link.name}": ${link.frame_count - size} of its ${link.frame_count} frames are not images that can be read. The local task was deleted.`;
    throw new AppError('conflict', message);
  }
  await deleteFrames();
  database.write(() => remotes.setJob(link.id, jobId));

  async function deleteFrames(): Promise<void> {
    const numbers = link.frames === null ? null : (JSON.parse(link.frames) as number[]);
    const meta = await metaOf(server, link.remote_job_id);
    const deleted = meta.deleted_frames.flatMap((frame) => {
      const local = numbers === null ? frame - link.first_frame : numbers.indexOf(frame);
      return local >= 0 && local < link.frame_count ? [local] : [];
    });
    if (deleted.length > 0 && jobId !== undefined)
      await frameService.updateJobMeta(actor, jobId, { deleted_frames: deleted, cloud_storage_id: undefined });
  }
}

/** Copies the guide of the job's task or project. It is not exchanged afterwards. */
async function loadGuide(
  { guides, tasks }: CheckoutDependencies,
  { actor, server }: Checkout,
  link: LinkRow,
  { guide_id: id }: JobAnswer,
): Promise<void> {
  const task = tasks.get(link.task_id);
  if (id === null || id === undefined || !task) return;
  const { markdown } = await server.read(guideAnswer, `/api/guides/${id}`);
  localJob(link);
  const owner = task.project_id === null ? { task_id: task.id } : { project_id: task.project_id };
  try {
    guides.create(actor, { ...owner, markdown });
  } catch (error) {
    // The project has a guide since an earlier checkout.
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
  }
}
