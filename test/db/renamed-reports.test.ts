import { expect, test } from 'vitest';
import { migrate, migrations } from '../../main/db/store/migrate.ts';
import { temporaryDatabase } from '../support/new-store.ts';

test('reports and undone changes of an older store are readable by their new names', () => {
  const database = temporaryDatabase();
  migrate(
    database,
    migrations.filter(({ version }) => version < 29),
  );
  database.pragma('foreign_keys = OFF');
  const car = { type: 'rectangle', label: 'car', count: 3 };
  const old = { carried: [car], losses: [], bad: [], badCount: 0, warnings: ['a'], survey: { subsets: ['train'] } };
  database.exec(`
    INSERT INTO project (id, name, created_date, updated_date) VALUES (1, 'cars', '', '');
    INSERT INTO annotation_change (id, kind, effect, project_id, object_count, detail, created_date, expiry_date)
      VALUES (1, 'take-back', 'add', 1, 3, '', '', ''), (2, 'label', 'add', 1, 3, '', '', '');
  `);
  database
    .query(
      `INSERT INTO model_run (task_id, job_id, function_id, request_date, next_frame, report, updated_date)
       VALUES (?, 0, 'f', '', 0, ?, '')`,
    )
    .run(1, JSON.stringify(old));
  migrate(database);
  const { report } = database.query('SELECT report FROM model_run').get() as { report: string };
  expect(JSON.parse(report)).toEqual({
    included: [car],
    dropped: [],
    invalid: [],
    invalidCount: 0,
    warnings: ['a'],
    preview: { subsets: ['train'] },
  });
  expect(database.query('SELECT id, kind FROM annotation_change ORDER BY id').all()).toEqual([
    { id: 1, kind: 'undo' },
    { id: 2, kind: 'label' },
  ]);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
});
