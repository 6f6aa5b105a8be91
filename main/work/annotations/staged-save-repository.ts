import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Store } from '../../db/store.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { Target } from './annotation-targets.ts';

/** A large change of existing annotations. */
export interface StagedSave {
  readonly actor: Actor;
  readonly action: 'update' | 'delete';
  readonly target: Target;
}

export interface StagedPortion {
  readonly id: number;
  readonly data: LabeledData;
}

export type StagedSaveRepository = ReturnType<typeof createStagedSaveRepository>;

/** Large changes of annotations between their receipt and their application. */
export function createStagedSaveRepository(database: Store) {
  const begin = database.query('INSERT INTO staged_save (save) VALUES (?)');
  const add = database.query('INSERT INTO staged_portion (save_id, data) VALUES (?, ?)');
  const complete = database.query('UPDATE staged_save SET is_complete = 1 WHERE id = +?');
  const first = database.query('SELECT id, data FROM staged_portion WHERE save_id = +? ORDER BY id LIMIT 1');
  const removePortion = database.query('DELETE FROM staged_portion WHERE id = +?');
  const remove = database.query('DELETE FROM staged_save WHERE id = +?');
  const list = database.query<[number], { readonly id: number; readonly save: string }>(
    'SELECT id, save FROM staged_save WHERE is_complete = +? ORDER BY id',
  );
  return {
    begin: (save: StagedSave): number => Number(begin.run(JSON.stringify(save)).lastInsertRowid),
    add: (saveId: number, data: LabeledData) => void add.run(saveId, JSON.stringify(data)),
    complete: (saveId: number) => void complete.run(saveId),
    /** The first portion that is not applied. */
    first(saveId: number): StagedPortion | undefined {
      const row = first.get(saveId) as { readonly id: number; readonly data: string } | undefined;
      return row && { id: row.id, data: JSON.parse(row.data) as LabeledData };
    },
    removePortion: (id: number) => void removePortion.run(id),
    remove: (saveId: number) => void remove.run(saveId),
    /** Call at the start: saves of an earlier run. */
    incomplete: (): number[] => list.all(0).map(({ id }) => id),
    completed: () => list.all(1).map(({ id, save }) => ({ id, save: JSON.parse(save) as StagedSave })),
  };
}
