import type { Clock } from '../../platform/clock.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { notFound } from '../../platform/errors.ts';
import { readRecord, type FunctionRecord } from './function-record.ts';
import type { FunctionChange, FunctionRepository, FunctionRow, NewFunction } from './function-repository.ts';

const parsedColumns = ['document', 'secrets', 'commands', 'cards', 'grants', 'warnings', 'measured_cards'] as const;

export type FunctionRecords = ReturnType<typeof createFunctionRecords>;

/**
 * Cache of parsed function records. Only this process writes the rows, so each is read once until it changes; a call
 * reads its record about ten times.
 */
export function createFunctionRecords(dependencies: {
  readonly repository: FunctionRepository;
  readonly secrets: SecretBox;
  readonly clock: Clock;
}) {
  const { repository, secrets, clock } = dependencies;
  const known = new Map<string, { readonly record: FunctionRecord; isCurrent: boolean }>();

  function get(name: string): FunctionRecord | undefined {
    const earlier = known.get(name);
    if (earlier?.isCurrent) return earlier.record;
    const row = repository.get(name);
    if (!row) return undefined;
    const record = understood(row, earlier?.record);
    known.set(name, { record, isCurrent: true });
    return record;
  }

  // Parsing a configuration with many labels takes longer than a call, so unchanged columns are not parsed again.
  const understood = (row: FunctionRow, earlier: FunctionRecord | undefined): FunctionRecord =>
    earlier && parsedColumns.every((column) => earlier.row[column] === row[column])
      ? { ...earlier, row }
      : readRecord(row, secrets);

  function update(name: string, change: FunctionChange): void {
    repository.update(name, change);
    const record = known.get(name);
    if (record) record.isCurrent = false;
  }

  return {
    get,
    /** @throws AppError 404 */
    require(name: string): FunctionRecord {
      const record = get(name);
      if (!record) throw notFound(`There is no function "${name}".`);
      return record;
    },
    list: (): FunctionRecord[] => repository.list().flatMap(({ name }) => get(name) ?? []),
    heldPorts(except: string): Set<number> {
      const others = repository.list().filter((row) => row.provider === 'docker' && row.name !== except);
      return new Set(others.flatMap(({ port }) => port ?? []));
    },
    insert: (row: NewFunction) => repository.insert(row),
    /** Updates the facts of a running function; its deployment date stays. */
    note: update,
    update: (name: string, change: FunctionChange) => update(name, { ...change, updated_date: clock() }),
    remove(name: string): void {
      known.delete(name);
      repository.remove(name);
    },
  };
}
