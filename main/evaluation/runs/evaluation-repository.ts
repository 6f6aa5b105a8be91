import type {
  EvaluatedTask,
  EvaluationReport,
  ProjectTruth,
  ReportKind,
} from '../../../preload/contract/schema/evaluations.ts';
import type { Store } from '../../db/store.ts';
import type { Evaluated } from './evaluation-work.ts';

export interface EvaluationSettings {
  readonly truth_job_id: number | null;
  readonly truth_prediction_set_id: number | null;
  readonly frames: { readonly first: number; readonly last: number } | null;
  readonly labels: readonly string[] | null;
  readonly label_mapping: Readonly<Record<string, string | null>>;
  readonly project?: {
    readonly truth: ProjectTruth;
    readonly tasks: readonly EvaluatedTask[];
    readonly parts: readonly ProjectPart[];
  };
}

export interface ProjectPart {
  readonly task_id: number;
  readonly truth_job_id: number | null;
  /** In the order of the models. */
  readonly prediction_set_ids: readonly number[];
}

export interface EvaluationRow {
  readonly id: number;
  /** Exactly one of the two is null. */
  readonly task_id: number | null;
  readonly project_id: number | null;
  readonly name: string;
  readonly kind: ReportKind;
  readonly settings: EvaluationSettings;
  readonly owner_id: number | null;
  readonly request_id: string | null;
  readonly created_date: string;
  readonly finished_date: string | null;
  readonly subject: Evaluated['subject'] | null;
}

export interface EvaluatedModelRow {
  readonly prediction_set_id: number | null;
  readonly name: string;
  readonly measured: {
    readonly measures: Readonly<Record<string, number>>;
    readonly details: EvaluationReport['details'][number];
  } | null;
}

type Stored<Row, Key extends keyof Row> = {
  readonly [Name in keyof Row]: Name extends Key ? string | null : Row[Name];
};

const columns =
  'id, task_id, project_id, name, kind, settings, owner_id, request_id, created_date, finished_date, subject';

export type EvaluationRepository = ReturnType<typeof createEvaluationRepository>;

export function createEvaluationRepository(database: Store) {
  const one = database.query(`SELECT ${columns} FROM evaluation WHERE id = +?`);
  const all = database.query(`SELECT ${columns} FROM evaluation ORDER BY id DESC`);
  const ofTask = database.query(`SELECT ${columns} FROM evaluation WHERE task_id = +? ORDER BY id DESC`);
  const ofProject = database.query(`SELECT ${columns} FROM evaluation WHERE project_id = +? ORDER BY id DESC`);
  const insert = database.query(
    `INSERT INTO evaluation (task_id, project_id, name, kind, settings, owner_id, created_date)
     VALUES (@task_id, @project_id, @name, @kind, @settings, @owner_id, @created_date)`,
  );
  const setRequest = database.query('UPDATE evaluation SET request_id = ? WHERE id = +?');
  const insertModel = database.query(
    'INSERT INTO evaluation_model (evaluation_id, position, prediction_set_id, name) VALUES (?, ?, ?, ?)',
  );
  const modelsOf = database.query(
    'SELECT prediction_set_id, name, measures AS measured FROM evaluation_model WHERE evaluation_id = +? ORDER BY position',
  );
  const finish = database.query('UPDATE evaluation SET subject = ?, truths = ?, finished_date = ? WHERE id = +?');
  const finishModel = database.query(
    'UPDATE evaluation_model SET measures = ?, facts = ? WHERE evaluation_id = +? AND position = +?',
  );
  const remove = database.query('DELETE FROM evaluation WHERE id = +?');
  const truths = database.query('SELECT truths FROM evaluation WHERE id = +?').pluck();
  const facts = database.query('SELECT facts FROM evaluation_model WHERE evaluation_id = +? AND position = +?').pluck();

  const parse = <Value>(text: string | null): Value | null => (text === null ? null : (JSON.parse(text) as Value));
  const read = (stored: unknown): EvaluationRow => {
    const row = stored as Stored<EvaluationRow, 'settings' | 'subject'>;
    return {
      ...row,
      settings: parse<EvaluationSettings>(row.settings)!,
      subject: parse<Evaluated['subject']>(row.subject),
    };
  };

  return {
    get(id: number): EvaluationRow | undefined {
      const row = one.get(id);
      return row === undefined ? undefined : read(row);
    },
    list: ({ taskId, projectId }: { readonly taskId?: number; readonly projectId?: number | undefined }) =>
      (taskId !== undefined ? ofTask.all(taskId) : projectId !== undefined ? ofProject.all(projectId) : all.all()).map(
        read,
      ),
    models: (id: number): EvaluatedModelRow[] =>
      (modelsOf.all(id) as Stored<EvaluatedModelRow, 'measured'>[]).map((row) => ({
        ...row,
        measured: parse<NonNullable<EvaluatedModelRow['measured']>>(row.measured),
      })),
    insert(
      row: Omit<EvaluationRow, 'id' | 'request_id' | 'finished_date' | 'subject'>,
      models: readonly { readonly id: number | null; readonly name: string }[],
    ): number {
      const id = Number(insert.run({ ...row, settings: JSON.stringify(row.settings) }).lastInsertRowid);
      for (const [position, model] of models.entries()) insertModel.run(id, position, model.id, model.name);
      return id;
    },
    setRequest: (id: number, requestId: string): void => void setRequest.run(requestId, id),
    /** Runs inside the transaction that ends the request. */
    finish(id: number, { subject, truths: columnsOfTruths, models }: Evaluated, date: string): void {
      finish.run(JSON.stringify(subject), columnsOfTruths, date, id);
      for (const [position, { measures, details, facts: bytes }] of models.entries())
        finishModel.run(JSON.stringify({ measures, details }), bytes, id, position);
    },
    remove: (id: number): void => void remove.run(id),
    truths: (id: number) => truths.get(id) as Uint8Array | null | undefined,
    facts: (id: number, position: number) => facts.get(id, position) as Uint8Array | null | undefined,
  };
}
