import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { parseNumber } from '../../db/json-logic.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Actor, Listing, ListRequest } from '../actor.ts';
import type { WorkAccess } from '../work-access.ts';
import type { LabelOwner } from './label-repository.ts';
import type { LabelService } from './label-service.ts';

/** Labels as a collection of the API: those of one project, task or job, as its staff sees them. */
export function createLabelAccess({ labels, access }: { readonly labels: LabelService; readonly access: WorkAccess }) {
  function ownerOfTask(actor: Actor, id: number): LabelOwner {
    const { project_id: projectId } = access.task(actor, id);
    return projectId === null ? { kind: 'task', id } : { kind: 'project', id: projectId };
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
    if (jobId !== null) return ownerOfTask(actor, access.job(actor, jobId).task_id);
    const taskId = id('task_id');
    if (taskId !== null) return ownerOfTask(actor, taskId);
    const projectId = id('project_id');
    if (projectId !== null) return { kind: 'project', id: access.project(actor, projectId).id };
    throw invalidField('non_field_errors', 'Name the task_id, project_id or job_id whose labels are wanted.');
  }

  function requireAccess(actor: Actor, id: number): void {
    const owner = labels.owner(id);
    if (owner.kind === 'project') access.project(actor, owner.id);
    else access.task(actor, owner.id);
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
      requireAccess(actor, id);
      return labels.get(id);
    },
    update(actor: Actor, id: number, label: LabelWrite): Label {
      requireAccess(actor, id);
      return labels.update(id, label);
    },
    remove(actor: Actor, id: number): void {
      requireAccess(actor, id);
      labels.remove(id);
    },
  };
}
export type LabelAccess = ReturnType<typeof createLabelAccess>;
