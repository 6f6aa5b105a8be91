import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Queries for rows that no complete edit leaves behind; each must find none. */
const orphans = {
  'shapes that are on no frame': `SELECT shape.id FROM shape JOIN annotation_set s ON s.id = shape.set_id
    WHERE s.state = 'live' AND NOT EXISTS (SELECT 1 FROM shape_frame f
      WHERE f.set_id = shape.set_id AND f.frame = shape.frame AND f.shape_id = shape.id)`,
  'frames that list a missing shape': `SELECT f.shape_id FROM shape_frame f JOIN annotation_set s ON s.id = f.set_id
    WHERE s.state = 'live' AND NOT EXISTS (SELECT 1 FROM shape WHERE shape.id = f.shape_id AND shape.set_id = f.set_id)`,
  'elements without their skeleton': `SELECT shape.id FROM shape JOIN annotation_set s ON s.id = shape.set_id
    WHERE s.state = 'live' AND parent_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM shape parent WHERE parent.id = shape.parent_id)`,
  'keyframes without their track': `SELECT t.id FROM tracked_shape t
    WHERE NOT EXISTS (SELECT 1 FROM track WHERE track.id = t.track_id)`,
  'tasks with images and no job': `SELECT task.id FROM task WHERE media_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM job WHERE job.task_id = task.id)`,
  'tasks whose frames are not all there': `SELECT task.id FROM task JOIN media ON media.id = task.media_id
    WHERE media.size <> (SELECT count(*) FROM frame WHERE frame.media_id = media.id)`,
};

/** Problems of the store in a data directory, read by a separate process; empty if it is intact. */
export function storeProblems(dataDir: string): string[] {
  const database = new Database(join(dataDir, 'db', 'limner.sqlite'), { readonly: true });
  try {
    const integrity = database.pragma('integrity_check', { simple: true });
    const foreign = database.pragma('foreign_key_check') as unknown[];
    const problems = integrity === 'ok' ? [] : [`integrity_check: ${String(integrity)}`];
    if (foreign.length > 0) problems.push(`foreign_key_check: ${JSON.stringify(foreign.slice(0, 3))}`);
    for (const [what, query] of Object.entries(orphans)) {
      const rows = database.prepare(query).all();
      if (rows.length > 0) problems.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`);
    }
    return problems;
  } finally {
    database.close();
  }
}

/** Uploaded files of a request. Open uploads belong to a client that may continue. */
export function takenOver(dataDir: string): string[] {
  const uploads = join(dataDir, 'data', 'uploads');
  if (!existsSync(uploads)) return [];
  return readdirSync(uploads, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(uploads, 'open')))
    .map((entry) => join(entry.parentPath, entry.name));
}
