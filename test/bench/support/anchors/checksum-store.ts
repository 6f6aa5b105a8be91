import Database from 'better-sqlite3';
import { decodePoints } from '../../../../main/db/points-codec.ts';
import { addPolygon, emptyChecksum } from '../polygon-checksum.ts';

interface Row {
  readonly image: string;
  readonly label: string;
  readonly points: Buffer;
}

/** Checksum of the store: shapes of live sets that are listed on a frame. */
const database = new Database(process.argv[2] ?? '', { readonly: true });
const rows = database
  .prepare(
    `SELECT frame.name AS image, label.name AS label, shape.points AS points
     FROM annotation_set s JOIN job ON job.id = s.job_id JOIN task ON task.id = job.task_id
     JOIN shape_frame f ON f.set_id = s.id JOIN shape ON shape.id = f.shape_id
     JOIN label ON label.id = shape.label_id
     JOIN frame ON frame.media_id = task.media_id AND frame.frame = f.frame
     WHERE s.state = 'live' AND task.id = ?`,
  )
  .iterate(Number(process.argv[3])) as IterableIterator<Row>;
const checksum = emptyChecksum();
for (const { image, label, points } of rows) addPolygon(checksum, image, label, decodePoints(points));
console.log(JSON.stringify(checksum));
