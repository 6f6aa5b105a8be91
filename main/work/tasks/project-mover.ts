import type { Label } from '../../../preload/contract/schema/labels.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { requireAllowed } from '../../people/access/access-rules.ts';
import type { Actor } from '../../people/access/actor.ts';
import { listUses, type LabelUses } from '../labels/label-use-repository.ts';
import { labelOwner } from '../labels/label-repository.ts';
import type { LabelService } from '../labels/label-service.ts';
import type { ProjectRow } from '../tables/project-table.ts';
import type { WorkAccess } from '../work-access.ts';
import type { Relabelling, RelabelRepository } from './relabel-repository.ts';
import type { TaskRow } from '../tables/task-table.ts';

export type ProjectMover = ReturnType<typeof createProjectMover>;

interface Dependencies {
  readonly labels: LabelService;
  readonly relabel: RelabelRepository;
  readonly uses: LabelUses;
  readonly access: WorkAccess;
}

type Sublabel = Label['sublabels'][number];

/**
 * Takes a task with its annotations into a project. The project's labels take the place of the task's: those of the
 * same name, with the attributes of the same names. Labels that no annotation carries need no counterpart.
 */
export function createProjectMover({ labels, relabel, uses, access }: Dependencies) {
  function pairs(task: TaskRow, project: ProjectRow): Relabelling {
    const used = new Set(relabel.usedLabels(task.id));
    const found = { labels: new Map<number, number>(), attributes: new Map<number, number>() };
    const targets = labels.list({ kind: 'project', id: project.id });
    for (const label of labels.list(labelOwner(task.project_id, task.id))) {
      const isUsed = used.has(label.id) || label.sublabels.some(({ id }) => used.has(id));
      if (isUsed) pairLabels(label, targets, project, found);
      else pairIfPossible(label, targets, project, found);
    }
    for (const target of targets.flatMap((label) => [label, ...label.sublabels])) requireFit(task, target, found);
    return found;
  }

  /** A label for anything becomes one for shapes of a type only where all that it is on are of that type. */
  function requireFit(task: TaskRow, to: Label | Sublabel, found: Relabelling): void {
    for (const [from, id] of found.labels) {
      const misfits = id === to.id ? uses.misfits({ kind: 'task', id: task.id }, from, to.type) : [];
      if (misfits.length === 0) continue;
      const what = `The label "${to.name}" of the project is for ${to.type} only; in the task it is on`;
      throw invalidField(
        'project_id',
        `${what} ${listUses(misfits)}. Nothing was moved: give them another label first.`,
      );
    }
  }

  return {
    /** @throws AppError 400 for labels without a counterpart, 403, 409 while something works on the task */
    require(actor: Actor, task: TaskRow, project: ProjectRow): void {
      requireAllowed(actor, 'task', 'create@project', {
        ...access.facts.place(actor, project.organization_id),
        people: { projectOwner: project.owner_id, projectAssignee: project.assignee_id },
      });
      if (relabel.isBusy(task.id)) {
        throw new AppError('conflict', 'Something works on this task in the background. Move it when that has ended.');
      }
      pairs(task, project);
    },
    /** Inside the caller's transaction. The task's own labels go. */
    move(task: TaskRow, project: ProjectRow): void {
      relabel.change(task.id, pairs(task, project));
      if (task.project_id === null) labels.drop({ kind: 'task', id: task.id });
    },
  };
}

interface Pairs {
  readonly labels: Map<number, number>;
  readonly attributes: Map<number, number>;
}

function pairLabels(from: Sublabel | Label, targets: readonly (Sublabel | Label)[], project: ProjectRow, found: Pairs) {
  const to = targets.find(({ name }) => name === from.name);
  const isSkeleton = [from.type, to?.type].includes('skeleton');
  const fits = to !== undefined && (to.type === from.type || (!isSkeleton && [to.type, from.type].includes('any')));
  if (!fits) throw lacks(project, `label "${from.name}" for shapes of type ${from.type}`);
  found.labels.set(from.id, to.id);
  for (const attribute of from.attributes) {
    const same = to.attributes.find(({ name, mutable }) => name === attribute.name && mutable === attribute.mutable);
    if (!same) throw lacks(project, `attribute "${attribute.name}" of the label "${from.name}"`);
    found.attributes.set(attribute.id, same.id);
  }
  for (const part of partsOf(from)) pairLabels(part, partsOf(to), project, found);
}

/** Labels that only hidden annotations may carry, which are kept so that a change can be taken back. */
function pairIfPossible(from: Label, targets: readonly Label[], project: ProjectRow, found: Pairs): void {
  const own: Pairs = { labels: new Map(), attributes: new Map() };
  try {
    pairLabels(from, targets, project, own);
  } catch (error) {
    if (error instanceof AppError) return;
    throw error;
  }
  for (const [id, to] of own.labels) found.labels.set(id, to);
  for (const [id, to] of own.attributes) found.attributes.set(id, to);
}

const partsOf = (label: Sublabel | Label): readonly Sublabel[] =>
  ('sublabels' in label ? label.sublabels : []) as Sublabel[];

const lacks = (project: ProjectRow, what: string) =>
  invalidField('project_id', `The project "${project.name}" has no ${what}. Nothing was moved: add it there first.`);
