import type { LambdaRequest } from '../../../preload/contract/schema/functions.ts';
import type { ModelDescription } from '../configuration/model-description.ts';
import { AppError, ForwardedError, invalidField } from '../../platform/errors.ts';
import { isAdmin, noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { RequestQueue } from '../../background-requests/request-queue.ts';
import type { RequestRepository, RequestRow } from '../../background-requests/request-repository.ts';
import { requestId } from '../../background-requests/request-id.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { FrameRange } from '../../work/tasks/frame-service.ts';
import { optionalNumber } from './function-payload.ts';
import {
  findTarget,
  labelsOf,
  openRange,
  wantsPolygons,
  type LambdaDependencies,
  type LambdaTarget,
} from './lambda-call-service.ts';
import { labelMapping, labelsForCall } from './label-mapping.ts';
import { badRequest } from './lambda-errors.ts';
import { parseRegion, requireInside } from './region.ts';
import { autoannotateType, readParameters, type RunParameters } from './run-parameters.ts';

type Body = Readonly<Record<string, unknown>>;

interface Dependencies extends Pick<LambdaDependencies, 'models' | 'frames' | 'labels' | 'tasks' | 'jobs'> {
  readonly access: WorkAccess;
  readonly requests: RequestService;
  readonly requestRows: RequestRepository;
  readonly queue: Pick<RequestQueue, 'current' | 'live' | 'cancel'>;
  readonly nowMs?: () => number;
}

const keptMs = { finished: 30 * 60 * 1000, failed: 3 * 60 * 60 * 1000 };

export function createLambdaRequestService(dependencies: Dependencies) {
  const { access, models, queue, requests, requestRows, jobs, nowMs = Date.now } = dependencies;

  /** Ended requests expire, as in CVAT. */
  const isKept = ({ status, finished_date: date }: RequestRow): boolean => {
    if (status !== 'finished' && status !== 'failed') return true;
    return date === null || nowMs() - Date.parse(date) < keptMs[status];
  };

  function find(id: string): RequestRow {
    const stored = requestRows.get(id);
    const row = stored?.type === autoannotateType ? queue.current(stored) : undefined;
    if (row && isKept(row)) return row;
    throw new ForwardedError(404, `${id} lambda job is not found`);
  }

  function canView(actor: Actor, row: RequestRow): boolean {
    if (isAdmin(actor) || row.owner_id === actor.userId) return true;
    try {
      if (row.job_id !== null) access.job(actor, row.job_id, 'view');
      else access.task(actor, row.task_id ?? 0, 'view');
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  const present = (row: RequestRow): LambdaRequest => presentRequest(row, queue.live(row.id)?.progress ?? row.progress);

  return {
    async create(actor: Actor, body: Body): Promise<LambdaRequest> {
      requireAllowed(actor, 'function', 'call:offline', noFacts);
      const functionId = requiredText(body, 'function');
      if (body['task'] === undefined && body['job'] === undefined)
        throw invalidField('task', 'This field is required.');
      const { description } = await models.find(functionId, actor);
      const target = findTarget(dependencies, functionId, body);
      const range = openRange(dependencies, actor, target);
      await dependencies.frames.prepared(range);
      if (target.job) access.job(actor, target.job.id, 'update:annotations');
      else access.task(actor, target.task.id, 'update:annotations');
      const parameters = checkParameters(dependencies, description, target, range, body);
      refuseSecond(target.task.id);
      const { rq_id: id } = requests.start(actor, {
        key: { action: 'autoannotate', target: 'task', targetId: target.task.id },
        type: autoannotateType,
        taskId: target.task.id,
        jobId: target.job?.id ?? null,
        projectId: target.task.project_id,
        organizationId: target.task.organization_id,
        parameters: { ...parameters },
      });
      return present(find(id));
    },
    /** Failed requests are omitted here but can be read by id. */
    list: (actor: Actor): LambdaRequest[] =>
      requestRows
        .ofType(autoannotateType)
        .map((row) => queue.current(row))
        .filter((row) => row.status !== 'failed' && isKept(row) && canView(actor, row))
        .map(present),
    get(actor: Actor, id: string): LambdaRequest {
      const row = find(id);
      if (!canView(actor, row)) throw forbiddenRequest();
      return present(row);
    },
    /** Cancels a waiting or running request; saved results of a running one are kept. */
    async remove(actor: Actor, id: string): Promise<void> {
      const row = find(id);
      const isOwn = isAdmin(actor) || row.owner_id === actor.userId;
      if (!isOwn) throw forbiddenRequest();
      if (row.job_id !== null && jobs.get(row.job_id)) access.job(actor, row.job_id, 'view');
      else if (row.job_id === null) access.task(actor, row.task_id ?? 0, 'view');
      await queue.cancel(id);
      requestRows.remove(id);
    },
  };

  function refuseSecond(taskId: number): void {
    const stored = requestRows.get(requestId({ action: 'autoannotate', target: 'task', targetId: taskId }));
    const status = stored && queue.current(stored).status;
    if (status !== 'queued' && status !== 'started') return;
    throw new ForwardedError(409, `Only one running request is allowed for the same task #${taskId}`);
  }
}

const forbiddenRequest = () => new AppError('forbidden', 'You do not have permission to perform this action.');

function requiredText(body: Body, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidField(name, 'This field is required.');
}

function checkParameters(
  dependencies: Dependencies,
  model: ModelDescription,
  { task, job }: LambdaTarget,
  range: FrameRange,
  body: Body,
): RunParameters {
  if (body['fill'] === 'objects') {
    throw badRequest('Attributes of objects can only be suggested. Create a batch whose results are suggestions.');
  }
  const region = parseRegion(body['roi'], model.kind);
  if (region !== null) {
    const sizes = dependencies.frames.frames(range).map(({ width, height }) => ({ width, height }));
    const [first] = sizes;
    if (sizes.some(({ width, height }) => width !== first?.width || height !== first?.height)) {
      throw badRequest('ROI can be used for task annotation only when all processed frames have the same resolution');
    }
    if (first) requireInside(region, first);
  }
  if (model.kind === 'detector') {
    const labels = labelsOf(dependencies, task);
    labelMapping(body['mapping'], labelsForCall(model, body['mapping'], labels), labels);
  }
  return {
    function: model.id,
    task: task.id,
    job: job?.id ?? null,
    threshold: optionalNumber('threshold', body['threshold']) ?? null,
    maxDistance: optionalNumber('max_distance', body['max_distance']) ?? null,
    cleanup: body['cleanup'] === true,
    masksToPolygons: wantsPolygons(body),
    mapping: body['mapping'] ?? null,
    region,
    resume: body['resume'] === true,
  };
}

function presentRequest(row: RequestRow, progress: number | null): LambdaRequest {
  const parameters = readParameters(row.parameters);
  return {
    id: row.id,
    function: {
      id: parameters.function,
      task: parameters.task,
      job: parameters.job ?? undefined,
      threshold: parameters.threshold,
    },
    status: row.status,
    progress: row.status === 'finished' ? 100 : Math.min(100, Math.floor((progress ?? 0) * 100)),
    enqueued: row.created_date,
    started: row.started_date,
    ended: row.finished_date,
    exc_info: row.status === 'failed' ? row.message : null,
  };
}
