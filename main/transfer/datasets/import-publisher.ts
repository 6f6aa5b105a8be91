import type { ChangeHead, ChangeKeeper } from '../../work/annotations/change-keeper.ts';
import { writeLabelPlan, type LabelPlan } from '../intake/label-plan.ts';
import type { LabelOwner, LabelRepository } from '../../work/labels/label-repository.ts';
import type { RequestRow } from '../../requests/request-repository.ts';
import { AppError } from '../../platform/errors.ts';
import type { TargetSet } from './bulk-repository.ts';
import type { DatasetDependencies } from './dataset-service.ts';

interface Publication {
  readonly targets: readonly (TargetSet & { readonly jobId: number })[];
  readonly replace: boolean;
  readonly plan: LabelPlan | null;
  readonly owner: LabelOwner;
  /** Name of the imported file. */
  readonly file: string;
  readonly end: () => void;
}

/** Shows imported annotations and ends the request: both or neither. Either way it can be taken back. */
export function createImportPublisher(
  dependencies: Pick<DatasetDependencies, 'database' | 'jobs' | 'tasks' | 'projects' | 'sets' | 'events' | 'clock'> & {
    readonly labelRows: LabelRepository;
    readonly keeper: ChangeKeeper;
  },
) {
  const { database, jobs, tasks, projects, sets, events, clock, labelRows, keeper } = dependencies;

  function show(request: RequestRow, { targets, replace, plan, owner, file }: Publication): void {
    const now = clock();
    const jobIds = targets.map(({ jobId }) => jobId);
    const head: ChangeHead = {
      kind: 'import',
      place: { projectId: null, taskId: request.task_id, jobId: request.job_id },
      userId: request.owner_id,
      detail: file,
    };
    if (jobIds.some((id) => !jobs.get(id)))
      throw new AppError('not-found', 'The job was deleted while its annotations were read.');
    if (plan) writeLabelPlan(labelRows, owner, plan);
    if (replace) keeper.hideLive(head, jobIds);
    const published = targets.filter(({ setId }) => sets.publish(setId)).map(({ setId }) => setId);
    if (published.length < targets.length)
      throw new AppError('internal', 'A set of the import is not pending any more.');
    if (!replace) keeper.show(head, published);
    for (const id of jobIds) jobs.touch(id, now);
    if (request.task_id !== null) tasks.touch(request.task_id, now);
    if (request.project_id !== null) projects.touch(request.project_id, now);
  }

  return (request: RequestRow, publication: Publication): void => {
    const watched = {
      jobs: publication.targets.map(({ jobId }) => jobId),
      tasks: [request.task_id],
      projects: [request.project_id],
    };
    database
      .transaction(() => {
        events.watch(events.actorOf(request), watched, () => show(request, publication));
        publication.end();
      })
      .immediate();
  };
}
