import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { SqlFragment } from '../../db/filters.ts';
import { parseNumber } from '../../db/json-logic.ts';
import { listRows } from '../../db/list-rows.ts';
import { invalidField, invalidRequest } from '../../platform/errors.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import { visibleTo } from '../../users/access/scope.ts';
import { labelList, labelOwner, type LabelOwner, type LabelRow } from '../tables/label-repository.ts';
import type { LabelService } from './label-service.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import { projectScope } from '../tables/project-table.ts';
import { taskScope } from '../tables/task-table.ts';
import { defined } from '../../platform/defined.ts';

interface Dependencies extends Pick<WorkServiceDependencies, 'database' | 'access'> {
  readonly labels: LabelService;
}

/** SQL condition for visible labels. A task with own labels has no project. */
function visibleLabels(actor: Actor): SqlFragment {
  const ofProjects = visibleTo(actor, 'project', projectScope);
  const ofTasks = visibleTo(actor, 'task', taskScope);
  return {
    sql: `(project.id IS NOT NULL AND (${ofProjects.sql})) OR (task.id IS NOT NULL AND (${ofTasks.sql}))`,
    params: [...ofProjects.params, ...ofTasks.params],
  };
}

const ownedBy = ({ kind, id }: LabelOwner): SqlFragment => ({ sql: `label.${kind}_id = +?`, params: [id] });

/** Hides points of skeletons, which are nested in their skeletons, unless the query asks for them by parent. */
function rootsUnlessAsked({ sql, params }: SqlFragment, equals: ListRequest['equals']): SqlFragment {
  const isAsked = Boolean(equals['parent']) || Boolean(equals['parent_id']);
  return isAsked ? { sql, params } : { sql: `label.parent_id IS NULL AND (${sql})`, params };
}

export function createLabelAccess({ database, labels, access }: Dependencies) {
  /** Owner of the labels in the query; null: all labels that the actor may see. */
  function ownerOf(actor: Actor, equals: ListRequest['equals']): LabelOwner | null {
    const id = (field: string): number | null => {
      const text = equals[field];
      if (text === undefined || text === '') return null;
      const number = parseNumber(text);
      if (number === null) throw invalidField(field, 'Enter a number.');
      return number;
    };
    const named = ['job_id', 'task_id', 'project_id'].filter((field) => id(field) !== null);
    if (named.length > 1)
      throw invalidRequest(`The parameters ${named.join(', ')} cannot be used together: give one of them.`);
    const jobId = id('job_id');
    if (jobId !== null) {
      // Access to the job includes its labels, even without access to the task.
      const job = access.job(actor, jobId);
      return labelOwner(job.project_id, job.task_id);
    }
    const taskId = id('task_id');
    if (taskId !== null) return labelOwner(access.task(actor, taskId).project_id, taskId);
    const projectId = id('project_id');
    return projectId === null ? null : { kind: 'project', id: access.project(actor, projectId).id };
  }

  /** Labels need the same rights as the project or task they belong to. */
  function requireAccess(actor: Actor, id: number, action: 'view' | 'update'): void {
    const owner = labels.owner(id);
    if (owner.kind === 'project') access.project(actor, owner.id, action);
    else access.task(actor, owner.id, action);
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Label> {
      const owner = ownerOf(actor, request.equals);
      const { job_id: _job, task_id: _task, project_id: _project, color, ...equals } = request.equals;
      const wanted = { ...request, equals: { ...equals, ...defined({ color: color?.toLowerCase() }) } };
      const whose = owner ? ownedBy(owner) : visibleLabels(actor);
      const { count, results } = listRows<LabelRow>(database, labelList, wanted, rootsUnlessAsked(whose, equals));
      return { count, results: labels.presentAll(results) };
    },
    get(actor: Actor, id: number): Label {
      requireAccess(actor, id, 'view');
      return labels.get(id);
    },
    update(actor: Actor, id: number, label: LabelWrite): Label {
      requireAccess(actor, id, 'update');
      return labels.update(id, label);
    },
    async remove(actor: Actor, id: number): Promise<void> {
      requireAccess(actor, id, 'update');
      await labels.deleting(labels.owner(id), [id], actor.userId, () => {
        requireAccess(actor, id, 'update');
        labels.remove(id, actor.userId);
      });
    },
    /** Runs a change of a task or project whose list of labels may delete some. */
    async changing<Result>(
      actor: Actor,
      owner: LabelOwner,
      wanted: readonly LabelWrite[] | undefined,
      change: () => Result,
    ): Promise<Result> {
      const gone = (wanted ?? []).flatMap(({ id, deleted }) => (deleted === true && id !== undefined ? [id] : []));
      if (gone.length === 0) return change();
      access[owner.kind](actor, owner.id, 'update');
      return labels.deleting(owner, gone, actor.userId, change);
    },
  };
}
