import type { DataRequest } from '../../../preload/contract/schema/resources.ts';
import { sortByPath } from '../../media/sorting.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { distributeHoneypots } from '../jobs/honeypot-selection.ts';
import { createSeededRandom, type SeededRandom } from '../jobs/seeded-choice.ts';
import type { FrameRow } from '../tables/media-repository.ts';
import type { TaskRow } from '../tables/task-table.ts';

type PoolParameters = NonNullable<DataRequest['validation_params']>;

export const hasPool = ({ validation_params: parameters }: DataRequest): boolean => parameters?.mode === 'gt_pool';

/** Refuses parameters that contradict a validation pool. */
export function requirePool(request: DataRequest, task: Pick<TaskRow, 'overlap'>): void {
  const { validation_params: parameters } = request;
  if (parameters?.mode !== 'gt_pool') return;
  const refuse = (reason: string) => invalidField('validation_params', reason);
  if (request.sorting_method !== 'random')
    throw refuse('validation mode "gt_pool" can only be used with "random" sorting');
  if ((request.job_file_mapping ?? []).length > 0)
    throw refuse('validation mode "gt_pool" cannot be used with "job_file_mapping"');
  if ((task.overlap ?? 0) > 0) throw refuse('validation mode "gt_pool" cannot be used with "overlap"');
  if (parameters.frame_selection_method === 'random_per_job')
    throw refuse('validation mode "gt_pool" selects frames by "random_uniform" or "manual", not by "random_per_job"');
  requireOne(parameters, 'frames_per_job_count', 'frames_per_job_share');
  if (parameters.frame_selection_method === 'manual') {
    if ((parameters.frames ?? []).length === 0) throw invalidField('frames', 'This field is required.');
  } else requireOne(parameters, 'frame_count', 'frame_share');
}

function requireOne(parameters: PoolParameters, count: keyof PoolParameters, share: keyof PoolParameters): void {
  if ((parameters[count] === undefined) === (parameters[share] === undefined))
    throw invalidField(count, `Give either ${count} or ${share}.`);
}

export interface PoolLayout {
  /** Frames of the jobs, with honeypots, and behind them the pool. */
  readonly rows: readonly FrameRow[];
  readonly jobs: readonly { readonly start: number; readonly stop: number }[];
  readonly pool: { readonly start: number; readonly stop: number };
  readonly perJob: number;
}

/**
 * Takes the frames of the pool out of the task, mixes copies of them into its jobs, and puts them behind all jobs. The
 * same seed gives the same layout as in CVAT.
 */
export function layoutWithPool(
  given: readonly FrameRow[],
  parameters: PoolParameters,
  segmentSize: number,
): PoolLayout {
  const frames = sortByPath(
    given.map((row) => ({ ...row, path: row.name })),
    { method: 'natural' },
  ).map(({ path: _path, ...row }) => row);
  const seed = parameters.random_seed ?? Math.floor(Math.random() * 2 ** 31);
  const random = createSeededRandom(seed);
  const pool = selectPool(frames, parameters, random).sort((a, b) => a - b);
  if (pool.length >= frames.length)
    throw new AppError(
      'invalid',
      'Cannot create task: too few non-honeypot frames left after selecting validation frames',
    );
  const inPool = new Set(pool);
  const jobs = distributeHoneypots(
    [...frames.keys()].filter((index) => !inPool.has(index)),
    pool,
    {
      segmentSize,
      perJob: honeypotsPerJob(parameters, pool.length, segmentSize === 0 ? frames.length - pool.length : segmentSize),
      random,
      ordering: createSeededRandom(seed),
    },
  );
  const poolStart = jobs.reduce((sum, job) => sum + job.frames.length, 0);
  const placeOf = new Map(pool.map((index, place) => [index, poolStart + place]));
  const rows: FrameRow[] = [];
  const add = (index: number, real: number | null) =>
    void rows.push({ ...frames[index]!, frame: rows.length, real_frame: real });
  const ranges = jobs.map((job) => {
    const start = rows.length;
    for (const index of job.frames) add(index, job.honeypots.has(index) ? placeOf.get(index)! : null);
    return { start, stop: rows.length - 1 };
  });
  for (const index of pool) add(index, null);
  return {
    rows,
    jobs: ranges,
    pool: { start: poolStart, stop: rows.length - 1 },
    perJob: jobs[0]?.honeypots.size ?? 0,
  };
}

/** Indexes of the frames of the pool. */
function selectPool(frames: readonly FrameRow[], parameters: PoolParameters, random: SeededRandom): number[] {
  const { frame_count: count, frame_share: share = 0, frames: names = [] } = parameters;
  if (parameters.frame_selection_method !== 'manual') {
    if (count !== undefined && frames.length <= count)
      throw new AppError(
        'invalid',
        `The number of validation frames requested (${count}) must be less than the number of task frames (${frames.length})`,
      );
    return random.choose([...frames.keys()], count ?? Math.max(1, Math.floor(frames.length * share)));
  }
  const indexes = new Map(frames.map(({ name }, index) => [name, index]));
  const unknown = names.filter((name) => !indexes.has(name));
  if (unknown.length > 0)
    throw new AppError('invalid', `Unknown validation frames requested: ${unknown.toSorted().join(', ')}`);
  return [...new Set(names)].map((name) => indexes.get(name)!);
}

function honeypotsPerJob(parameters: PoolParameters, poolSize: number, segmentSize: number): number {
  const { frames_per_job_count: count, frames_per_job_share: share = 0, frame_count: frameCount } = parameters;
  if (count !== undefined && frameCount !== undefined && poolSize < count)
    throw new AppError(
      'invalid',
      `The requested number of validation frames per job (${count}) is greater than the validation pool size (${poolSize})`,
    );
  return Math.min(poolSize, count ?? Math.max(1, Math.floor(share * segmentSize)));
}
