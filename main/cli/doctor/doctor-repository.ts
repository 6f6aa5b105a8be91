import type { Store } from '../../db/store.ts';

export type DoctorRepository = ReturnType<typeof createDoctorRepository>;

export function createDoctorRepository(database: Store) {
  const sealed = [
    'SELECT 1 FROM webhook WHERE secret GLOB @form OR previous_secret GLOB @form OR target_credentials GLOB @form UNION ALL SELECT 1 FROM cloud_storage WHERE credentials GLOB @form',
    'SELECT 1 FROM model_function WHERE secrets GLOB @form UNION ALL SELECT 1 FROM model_dashboard WHERE secret GLOB @form',
  ].map((sql) => database.query(`SELECT count(*) FROM (${sql})`).pluck());
  const tasks = database.query<[], { id: number; media_id: number | null }>(
    'SELECT id, media_id FROM task ORDER BY id',
  );
  return {
    tasks: () => tasks.all(),
    /** Number of secrets that each of the two keys decrypts. */
    sealedByKeyFile: () => {
      const [webhooks, functions] = sealed.map((statement) => Number(statement.get({ form: 'file1:*' })));
      return { 'secrets.key': webhooks ?? 0, 'functions.key': functions ?? 0 };
    },
  };
}
