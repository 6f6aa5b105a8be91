import type { Store } from '../../db/store.ts';

export interface Honeypot {
  readonly frame: number;
  readonly real_frame: number;
}

/** Frames of a medium that repeat frames of its validation pool. */
export function createHoneypotRows(database: Store) {
  const all = database.query(
    'SELECT frame, real_frame FROM frame WHERE media_id = +? AND real_frame IS NOT NULL ORDER BY frame',
  );
  const repeat = database.query(
    `UPDATE frame SET (name, file, width, height, related, identity, problem, real_frame) =
       (SELECT name, file, width, height, related, identity, problem, frame FROM frame
        WHERE media_id = +@id AND frame = +@real)
     WHERE media_id = +@id AND frame = +@frame`,
  );
  const setDate = database.query('UPDATE media SET created_date = ? WHERE id = +?');

  return {
    honeypots: (id: number) => all.all(id) as Honeypot[],
    /** Gives a honeypot the image of another frame of the pool. */
    repeatFrame: (id: number, { frame, real_frame: real }: Honeypot) => void repeat.run({ id, frame, real }),
    /** Clients download chunks again after this date. */
    setDate: (id: number, date: string) => void setDate.run(date, id),
  };
}
