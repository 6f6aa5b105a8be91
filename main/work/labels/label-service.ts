import { labelColor } from '../../../preload/contract/colors.ts';
import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Store } from '../../db/store.ts';
import { inPortions, type Portions } from '../../platform/portions.ts';
import { AppError, invalidField, invalidRequest, notFound, orNotFound } from '../../platform/errors.ts';
import { labelOwner, type LabelOwner, type LabelRepository, type LabelRow } from '../tables/label-repository.ts';
import { createLabelChanges } from './label-changes.ts';
import { checkLabel, checkLabels } from './label-rules.ts';

export type LabelService = ReturnType<typeof createLabelService>;

export interface LabelRemoval {
  readonly labels: readonly Label[];
  readonly userId: number | null;
}

/** Hides the annotations of labels before the labels are deleted: both can be restored. */
export interface LabelHiding {
  /** Call in the transaction that deletes the labels. */
  readonly hide: (owner: LabelOwner, labelIds: readonly number[], removal: LabelRemoval) => void;
  /** Hides most annotations in portions, before that transaction. `end` shows them again if it failed. */
  readonly prepare: (
    owner: LabelOwner,
    labelIds: readonly number[],
    removal: LabelRemoval,
  ) => { readonly portions: () => Portions<void>; readonly end: (isDeleted: boolean) => void };
}

interface Dependencies {
  readonly database: Store;
  readonly labels: LabelRepository;
  readonly hiding: LabelHiding;
  /** Updates the owner's date, because clients that cache by date must see the change. */
  readonly touch: (owner: LabelOwner) => void;
}

const unknownLabel = (id: number) => notFound(`Not found label with id #${id} to change`);
const byParent = 'Please send a PATCH request with updated parent label data instead.';
const sublabelAlone = `Sublabels cannot be modified this way. ${byParent}`;
const deletedByPatch = 'Labels cannot be deleted by updating in this endpoint. Please use the DELETE method instead.';
const sublabelDeleted = `Sublabels cannot be deleted this way. ${byParent}`;

/**
 * Writes the labels of projects and tasks. Lists are as in the API: items with `id` change, without it create, with
 * `deleted` remove.
 */
export function createLabelService({ database, labels, hiding, touch }: Dependencies) {
  const { writeAttributes, changeAll } = createLabelChanges(labels);
  const { hidingOf, deleting } = createDeleting({ database, labels, hiding });

  function create(owner: LabelOwner, parentId: number | null, label: LabelWrite, used: Set<string>): number {
    if (label.name === undefined) throw invalidField('name', 'This field is required.');
    const color =
      label.color === undefined || label.color === '' ? labelColor(label.name, used) : label.color.toLowerCase();
    used.add(color);
    const type = label.type ?? (parentId === null ? 'any' : 'points');
    const id = labels.insert(owner, parentId, { name: label.name, color, type, svg: label.svg ?? null });
    writeAttributes(id, label.attributes);
    for (const sublabel of label.sublabels ?? []) create(owner, id, sublabel, used);
    return id;
  }

  /** Removes labels with their annotations; both can be restored. */
  function remove(owner: LabelOwner, gone: readonly LabelRow[], by: number | null): void {
    if (gone.length === 0) return;
    hiding.hide(...hidingOf(owner, gone, by));
    for (const { id } of gone) labels.remove(id);
  }

  const ownerOf = (row: LabelRow): LabelOwner => labelOwner(row.project_id, row.task_id ?? 0);

  /**
   * Writes a list of labels inside the caller's transaction.
   * @param by id of the user, recorded with the labels that the list deletes
   */
  function write(owner: LabelOwner, wanted: readonly LabelWrite[], by: number | null): void {
    if (wanted.length === 0) return;
    checkLabels(wanted);
    const rows = labels.rows(owner);
    const used = new Set(rows.map((row) => row.color));
    const pairs = wanted.map((label) => {
      const row = label.id === undefined ? undefined : rows.find((one) => one.id === label.id);
      if (label.id !== undefined && !row) throw unknownLabel(label.id);
      return { label, row };
    });
    // Names of deleted and renamed labels are free for other labels of the list.
    remove(
      owner,
      pairs.flatMap(({ label, row }) => (row && label.deleted === true ? [row] : [])),
      by,
    );
    const left = labels.rows(owner);
    changeAll(
      left,
      pairs.flatMap(({ label, row }) => (row && label.deleted !== true ? [{ label, row }] : [])),
    );
    const present = labels.rows(owner);
    for (const { label, row } of pairs) {
      if (!row && label.deleted !== true) createUnlessTaken(owner, label, present, used);
    }
    touch(owner);
  }

  function createUnlessTaken(owner: LabelOwner, label: LabelWrite, rows: readonly LabelRow[], used: Set<string>): void {
    if (rows.some((row) => row.parent_id === null && row.name === label.name)) {
      throw new AppError('invalid', `A label named "${label.name}" already exists.`, [
        `All label names must be unique; "${label.name}" already exists.`,
      ]);
    }
    create(owner, null, label, used);
  }

  return {
    write,
    deleting,
    list: (owner: LabelOwner): Label[] => labels.list(owner),
    presentAll: (rows: readonly LabelRow[]): Label[] => labels.presentAll(rows),
    owner: (id: number): LabelOwner => ownerOf(orNotFound(labels.row(id))),
    get(id: number): Label {
      const row = orNotFound(labels.row(id));
      return labels.present(row, labels.rows(ownerOf(row)));
    },
    update(id: number, label: LabelWrite): Label {
      if (label.deleted === true) throw invalidField('non_field_errors', deletedByPatch);
      checkLabel(label);
      database.write(() => {
        const row = orNotFound(labels.row(id));
        if (row.parent_id !== null) throw invalidRequest(sublabelAlone);
        changeAll(labels.rows(ownerOf(row)), [{ label, row }]);
        touch(ownerOf(row));
      });
      return this.get(id);
    },
    /** Deletes all labels. Call inside a transaction, when no shown annotation uses them. */
    drop(owner: LabelOwner): void {
      for (const { id } of labels.rows(owner)) labels.remove(id);
    },
    /** Restores deleted labels with their ids, inside the caller's transaction. */
    restore(owner: LabelOwner, gone: readonly Label[]): void {
      const names = new Set(labels.rows(owner).flatMap((row) => (row.parent_id === null ? [row.name] : [])));
      const taken = gone.find(({ name }) => names.has(name));
      if (taken) {
        throw new AppError(
          'conflict',
          `Cannot undo the deletion: another label is now named "${taken.name}". Rename it, then undo again.`,
        );
      }
      for (const label of gone) {
        labels.insertWithIds(owner, null, label);
        for (const sublabel of label.sublabels) labels.insertWithIds(owner, label.id, sublabel);
      }
    },
    remove(id: number, by: number): void {
      database.write(() => {
        const row = orNotFound(labels.row(id));
        if (row.parent_id !== null) throw invalidRequest(sublabelDeleted);
        remove(ownerOf(row), [row], by);
        touch(ownerOf(row));
      });
    },
  };
}

function createDeleting({ database, labels, hiding }: Omit<Dependencies, 'touch'>) {
  function hidingOf(
    owner: LabelOwner,
    gone: readonly LabelRow[],
    userId: number | null,
  ): Parameters<LabelHiding['hide']> {
    const rows = labels.rows(owner);
    const ids = gone.flatMap(({ id }) => [id, ...rows.filter((row) => row.parent_id === id).map((row) => row.id)]);
    return [owner, ids, { labels: gone.map((row) => labels.present(row, rows)), userId }];
  }

  /**
   * Runs a deletion of labels. Other requests run while their annotations are hidden before it.
   * @param labelIds unknown ones are left to `remove`
   */
  async function deleting<Result>(
    owner: LabelOwner,
    labelIds: readonly number[],
    by: number,
    remove: () => Result,
  ): Promise<Result> {
    const gone = labelIds.flatMap((id) => labels.rows(owner).filter((row) => row.id === id && row.parent_id === null));
    if (gone.length === 0) return remove();
    const { portions, end } = hiding.prepare(...hidingOf(owner, gone, by));
    try {
      await inPortions(portions());
      return remove();
    } finally {
      // Another request may have deleted them in between.
      const isDeleted = gone.some(({ id }) => labels.row(id) === undefined);
      database.write(() => end(isDeleted));
    }
  }

  return { hidingOf, deleting };
}
