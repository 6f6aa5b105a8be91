import type { FrameSearch } from '../../../preload/contract/schema/finding.ts';
import { notFound } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import type { Actor } from '../../users/access/actor.ts';
import { Store } from '../../db/store.ts';
import { createAnnotationRepository } from '../annotations/annotation-repository.ts';
import { createJobRepository } from '../tables/job-repository.ts';
import { createLabelRepository } from '../tables/label-repository.ts';
import { createMediaRepository } from '../tables/media-repository.ts';
import { createTaskRepository } from '../tables/task-repository.ts';
import { createFrameSearch } from './frame-search.ts';
import { createOverviewRepository } from './overview-repository.ts';
import { createProgress, createStatistics } from './statistics.ts';

/** A reading of an overview that the actor may see. */
export interface OverviewJob {
  readonly databaseFile: string;
  readonly actor: Actor;
  readonly id: number;
}

export interface SearchJob extends OverviewJob {
  readonly search: FrameSearch;
}

/** Opens objects without a check: `createLargeOverviews` checks the access before it starts a job. */
const unchecked =
  <Row>(get: (id: number) => Row | undefined) =>
  (_actor: Actor, id: number): Row => {
    const row = get(id);
    if (row === undefined) throw notFound();
    return row;
  };

async function withOverviews<Result>(
  databaseFile: string,
  read: (overviews: ReturnType<typeof createOverviews>) => Promise<Result>,
): Promise<Result> {
  const database = new Store(databaseFile);
  try {
    return await read(createOverviews(database));
  } finally {
    database.close();
  }
}

function createOverviews(database: Store) {
  const [tasks, jobs] = [createTaskRepository(database), createJobRepository(database)];
  const [media, labelRows] = [createMediaRepository(database), createLabelRepository(database)];
  const annotations = createAnnotationRepository(database);
  const overview = createOverviewRepository(database);
  const access = { job: unchecked(jobs.get), task: unchecked(tasks.get), project: () => undefined };
  return {
    search: createFrameSearch({ access, media, labelRows, annotations, overview }),
    statistics: createStatistics({ access, tasks, jobs, media, labelRows, annotations, overview }),
    progress: createProgress({ access, media, annotations, overview }),
  };
}

export const readJobProgress = ({ databaseFile, actor, id }: OverviewJob, { signal }: JobRun) =>
  withOverviews(databaseFile, ({ progress }) => progress.ofJob(actor, id, signal));

export const readJobStatistics = ({ databaseFile, actor, id }: OverviewJob, { signal }: JobRun) =>
  withOverviews(databaseFile, ({ statistics }) => statistics.ofJob(actor, id, signal));

export const readTaskStatistics = ({ databaseFile, actor, id }: OverviewJob, { signal }: JobRun) =>
  withOverviews(databaseFile, ({ statistics }) => statistics.ofTask(actor, id, signal));

export const readProjectStatistics = ({ databaseFile, actor, id }: OverviewJob, { signal }: JobRun) =>
  withOverviews(databaseFile, ({ statistics }) => statistics.ofProject(actor, id, signal));

export const searchJobFrames = ({ databaseFile, actor, id, search }: SearchJob, { signal }: JobRun) =>
  withOverviews(databaseFile, (overviews) => overviews.search.search(actor, id, search, signal));
