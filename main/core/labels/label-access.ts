import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { parseNumber } from '../../db/json-logic.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Actor, Listing, ListRequest } from '../actor.ts';
import type { JobRow } from '../jobs/job-repository.ts';
import type { WorkAccess } from '../work-access.ts';
import type { LabelOwner } from './label-repository.ts';
import type { LabelService } from './label-service.ts';

/** Labels as a collection of the API: those of one project, task or job, as its staff sees them. */
export function createLabelAccess({ labels, access }: { readonly labels: LabelService; readonly access: WorkAccess }) {
  function ownerOfTask(actor: Actor, id: number): LabelOwner {
    const { project_id: projectId } = access.task(actor, id);
    return projectId === null ? { kind: 'task', id } : { kind: 'project', id: projectId };
  }

  /** Who may see the job may see its labels, without seeing the task. */
  function ownerOfJob({ project_id: projectId, task_id: taskId }: JobRow): LabelOwner {
    return projectId === null ? { kind: 'task', id: taskId } : { kind: 'project', id: projectId };
  }

  function ownerOf(actor: Actor, equals: ListRequest['equals']): LabelOwner {
    const id = (field: string): number | null => {
      const text = equals[field];
      if (text === undefined || text === '') return null;
      const number = parseNumber(text);
      if (number === null) throw invalidField(field, 'Enter a number.');
      return number;
    };
    const jobId = id('job_id');
    if (jobId !== null) return ownerOfJob(access.job(actor, jobId));
    const taskId = id('task_id');
    if (taskId !== null) return ownerOfTask(actor, taskId);
    const projectId = id('project_id');
    if (projectId !== null) return { kind: 'project', id: access.project(actor, projectId).id };
    throw invalidField('non_field_errors', 'Name the task_id, project_id or job_id whose labels are wanted.');
  }

  /** Labels are part of the description of what they belong to. */
  function requireAccess(actor: Actor, id: number, action: 'view' | 'update'): void {
    const owner = labels.owner(id);
    if (owner.kind === 'project') access.project(actor, owner.id, action);
    else access.task(actor, owner.id, action);
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Label> {
      const { name, type, color, parent } = request.equals;
      const search = request.search?.toLowerCase() ?? '';
      const found = labels
        .list(ownerOf(actor, request.equals))
        .filter((label) => !name || label.name === name)
        .filter((label) => !type || label.type === type)
        .filter((label) => !color || label.color === color.toLowerCase())
        .filter(() => !parent)
        .filter((label) => label.name.toLowerCase().includes(search));
      if (request.sort?.startsWith('-')) found.reverse();
      const size = request.pageSize === 'all' ? Math.max(1, found.length) : request.pageSize;
      return { count: found.length, results: found.slice((request.page - 1) * size, request.page * size) };
    },
    get(actor: Actor, id: number): Label {
      requireAccess(actor, id, 'view');
      return labels.get(id);
    },
    update(actor: Actor, id: number, label: LabelWrite): Label {
      requireAccess(actor, id, 'update');
      return labels.update(id, label);
    },
    remove(actor: Actor, id: number): void {
      requireAccess(actor, id, 'update');
      labels.remove(id);
    },
  };
}
export type LabelAccess = ReturnType<typeof createLabelAccess>;
