import type { Label } from '../../../preload/contract/schema/labels.ts';
import { copyOfLabel, pairLabel, type Lacking, type LabelPairs } from '../../../preload/contract/label-pairs.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { listUses, type LabelUses } from '../labels/label-use-repository.ts';
import { labelOwner } from '../tables/label-repository.ts';
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
 * Moves a task with its annotations into a project, or out of one. The project's labels replace the task's labels with
 * the same names, and so do their attributes. Labels without annotations need no counterpart. A task that leaves its
 * project takes copies of the project's labels along.
 */
export function createProjectMover({ labels, relabel, uses, access }: Dependencies) {
  function pairs(task: TaskRow, project: ProjectRow): Relabelling {
    const used = new Set(relabel.usedLabels(task.id));
    const found = noPairs();
    const targets = labels.list({ kind: 'project', id: project.id });
    for (const label of labels.list(labelOwner(task.project_id, task.id))) {
      const isUsed = used.has(label.id) || label.sublabels.some(({ id }) => used.has(id));
      if (!isUsed) pairIfPossible(label, targets, found);
      else {
        const lacking = pairLabel(label, targets, found);
        if (lacking !== null) throw lacks(project, lacking);
      }
    }
    for (const target of targets.flatMap((label) => [label, ...label.sublabels])) requireFit(task, target, found);
    return found;
  }

  /** An `any` label may be replaced by a label of a type only if all its objects have that type. */
  function requireFit(task: TaskRow, to: Label | Sublabel, found: Relabelling): void {
    for (const [from, id] of found.labels) {
      const misfits = id === to.id ? uses.misfits({ kind: 'task', id: task.id }, from, to.type) : [];
      if (misfits.length === 0) continue;
      const what = `The label "${to.name}" of the project is only for ${to.type}, but the task uses it on`;
      throw invalidField(
        'project_id',
        `${what} ${listUses(misfits)}. Nothing was moved: give these objects another label first.`,
      );
    }
  }

  function requireRest(task: TaskRow): void {
    if (!relabel.isBusy(task.id)) return;
    throw new AppError(
      'conflict',
      'Cannot move the task: a background request is using it. Try again when the request has ended.',
    );
  }

  return {
    /** @throws AppError 400 for labels without a counterpart, 403, 409 while a background request uses the task */
    require(actor: Actor, task: TaskRow, project: ProjectRow): void {
      requireAllowed(actor, 'task', 'create@project', {
        ...access.facts.place(actor, project.organization_id),
        people: { projectOwner: project.owner_id, projectAssignee: project.assignee_id },
      });
      requireRest(task);
      pairs(task, project);
    },
    /** Moves the task and deletes its own labels, inside the caller's transaction. */
    move(task: TaskRow, project: ProjectRow): void {
      relabel.change(task.id, pairs(task, project));
      if (task.project_id === null) labels.drop({ kind: 'task', id: task.id });
    },
    /** @throws AppError 403, 409 while a background request uses the task */
    requireLeaving(actor: Actor, task: TaskRow): void {
      requireAllowed(actor, 'task', 'create', { ...access.facts.place(actor, task.organization_id), people: {} });
      requireRest(task);
    },
    /** Removes the task from its project and copies the project's labels, inside the caller's transaction. */
    leave(actor: Actor, task: TaskRow): void {
      const shared = labels.list(labelOwner(task.project_id, task.id));
      const owner = { kind: 'task', id: task.id } as const;
      labels.write(owner, shared.map(copyOfLabel), actor.userId);
      const own = labels.list(owner);
      const found = noPairs();
      for (const label of shared) pairIfPossible(label, own, found);
      relabel.change(task.id, found);
    },
  };
}

const noPairs = (): LabelPairs => ({ labels: new Map(), attributes: new Map() });

/** Pairs labels that only hidden annotations may use (kept for undo). A missing counterpart is no error. */
function pairIfPossible(from: Label, targets: readonly Label[], found: LabelPairs): void {
  const own = noPairs();
  if (pairLabel(from, targets, own) !== null) return;
  for (const [id, to] of own.labels) found.labels.set(id, to);
  for (const [id, to] of own.attributes) found.attributes.set(id, to);
}

function lacks(project: ProjectRow, lacking: Lacking) {
  const what =
    lacking.kind === 'label'
      ? `label "${lacking.label}" for shapes of type ${lacking.type}`
      : `attribute "${lacking.attribute}" of the label "${lacking.label}"`;
  return invalidField(
    'project_id',
    `Cannot move the task: the project "${project.name}" has no ${what}. Add it to the project first.`,
  );
}
