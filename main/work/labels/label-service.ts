import { labelColor } from '../../../preload/contract/colors.ts';
import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Database } from '../../db/open.ts';
import { AppError, invalidField, invalidRequest, notFound, orNotFound } from '../../platform/errors.ts';
import { labelOwner, type LabelOwner, type LabelRepository, type LabelRow } from './label-repository.ts';
import { createLabelChanges } from './label-changes.ts';
import { checkLabel, checkLabels } from './label-rules.ts';

export type LabelService = ReturnType<typeof createLabelService>;

export interface LabelRemoval {
  readonly labels: readonly Label[];
  /** Who removes them. */
  readonly userId: number | null;
}

interface Dependencies {
  readonly database: Database;
  readonly labels: LabelRepository;
  /** Takes the annotations with these labels out of sight, before the labels go: both can be taken back. */
  readonly hideAnnotations: (owner: LabelOwner, labelIds: readonly number[], removal: LabelRemoval) => void;
  /** Labels are part of what they belong to: clients that keep copies by date must see that it changed. */
  readonly touch: (owner: LabelOwner) => void;
}

const unknownLabel = (id: number) => notFound(`Not found label with id #${id} to change`);
const byParent = 'Please send a PATCH request with updated parent label data instead.';
const sublabelAlone = `Sublabels cannot be modified this way. ${byParent}`;
const sublabelDeleted = `Sublabels cannot be deleted this way. ${byParent}`;

/** Labels of projects and tasks: lists as the API writes them (with `id` change, without create, `deleted` remove). */
export function createLabelService({ database, labels, hideAnnotations, touch }: Dependencies) {
  const { writeAttributes, changeAll } = createLabelChanges(labels);

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

  /** Labels go with their annotations; both can be taken back. */
  function remove(owner: LabelOwner, gone: readonly LabelRow[], by: number | null): void {
    if (gone.length === 0) return;
    const rows = labels.rows(owner);
    const ids = gone.flatMap(({ id }) => [id, ...rows.filter((row) => row.parent_id === id).map((row) => row.id)]);
    hideAnnotations(owner, ids, { labels: gone.map((row) => labels.present(row, rows)), userId: by });
    for (const { id } of gone) labels.remove(id);
  }

  const ownerOf = (row: LabelRow): LabelOwner => labelOwner(row.project_id, row.task_id ?? 0);

  /**
   * Writes a list of labels inside the caller's transaction.
   * @param by whoever deletes labels by it
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
    // Names of labels that go or change are free for others of the same list.
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
      throw new AppError('invalid', `There is a label "${label.name}" already.`, [
        `All label names must be unique; "${label.name}" exists already.`,
      ]);
    }
    create(owner, null, label, used);
  }

  return {
    write,
    list: (owner: LabelOwner): Label[] => labels.list(owner),
    owner: (id: number): LabelOwner => ownerOf(orNotFound(labels.row(id))),
    get(id: number): Label {
      const row = orNotFound(labels.row(id));
      return labels.present(row, labels.rows(ownerOf(row)));
    },
    update(id: number, label: LabelWrite): Label {
      checkLabel(label);
      database.transaction(() => {
        const row = orNotFound(labels.row(id));
        if (row.parent_id !== null) throw invalidRequest(sublabelAlone);
        changeAll(labels.rows(ownerOf(row)), [{ label, row }]);
        touch(ownerOf(row));
      })();
      return this.get(id);
    },
    /** Inside the caller's transaction, where no annotation that is shown carries them any more. */
    drop(owner: LabelOwner): void {
      for (const { id } of labels.rows(owner)) labels.remove(id);
    },
    /** Labels that were deleted come back with their ids. Inside the caller's transaction. */
    restore(owner: LabelOwner, gone: readonly Label[]): void {
      const names = new Set(labels.rows(owner).flatMap((row) => (row.parent_id === null ? [row.name] : [])));
      const taken = gone.find(({ name }) => names.has(name));
      if (taken) {
        throw new AppError(
          'conflict',
          `There is another label "${taken.name}" now. Nothing was changed: rename it, then take this back.`,
        );
      }
      for (const label of gone) {
        labels.insertWithIds(owner, null, label);
        for (const sublabel of label.sublabels) labels.insertWithIds(owner, label.id, sublabel);
      }
    },
    remove(id: number, by: number): void {
      database.transaction(() => {
        const row = orNotFound(labels.row(id));
        if (row.parent_id !== null) throw invalidRequest(sublabelDeleted);
        remove(ownerOf(row), [row], by);
        touch(ownerOf(row));
      })();
    },
  };
}
