import type { Store } from '../../db/store.ts';

/** Tags and shapes on frames. Tracks are not among them: their states define other frames too. */
export function createFrameObjectsRepository(database: Store) {
  const chosen = 'set_id = +:set AND frame IN (SELECT value FROM json_each(+:frames))';
  const count = database
    .query(
      `SELECT (SELECT count(*) FROM shape_frame f JOIN shape ON shape.id = f.shape_id
           WHERE f.set_id = +:set AND f.frame IN (SELECT value FROM json_each(+:frames)) AND shape.parent_id IS NULL)
         + (SELECT count(*) FROM tag WHERE ${chosen})`,
    )
    .pluck();
  const moves = [
    `UPDATE shape SET set_id = +:target WHERE id IN (SELECT shape_id FROM shape_frame WHERE ${chosen})`,
    `UPDATE shape_frame SET set_id = +:target WHERE ${chosen}`,
    `UPDATE tag SET set_id = +:target WHERE ${chosen}`,
  ].map((sql) => database.query(sql));
  return {
    count: (set: number, frames: readonly number[]): number =>
      Number(count.get({ set, frames: JSON.stringify(frames) })),
    move: (set: number, frames: readonly number[], target: number): void =>
      moves.forEach((move) => move.run({ set, target, frames: JSON.stringify(frames) })),
  };
}
export type FrameObjectsRepository = ReturnType<typeof createFrameObjectsRepository>;
