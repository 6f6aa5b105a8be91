import type { Clock } from '../../platform/clock.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { notFound } from '../../platform/errors.ts';
import { readRecord, type FunctionRecord } from './function-record.ts';
import type { FunctionChange, FunctionRepository, NewFunction } from './function-repository.ts';

const parsedColumns = ['document', 'secrets', 'commands', 'cards', 'grants', 'warnings', 'measured_cards'] as const;

export type FunctionRecords = ReturnType<typeof createFunctionRecords>;

/** Records of functions, with what they hold understood once for each version of a row. */
export function createFunctionRecords(dependencies: {
  readonly repository: FunctionRepository;
  readonly secrets: SecretBox;
  readonly clock: Clock;
}) {
  const { repository, secrets, clock } = dependencies;
  const known = new Map<string, FunctionRecord>();

  function get(name: string): FunctionRecord | undefined {
    const row = repository.get(name);
    if (!row) return undefined;
    const earlier = known.get(name);
    // Configurations of many labels take longer to read than the call that they are read for.
    if (earlier && parsedColumns.every((column) => earlier.row[column] === row[column])) return { ...earlier, row };
    const record = readRecord(row, secrets);
    known.set(name, record);
    return record;
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
    /** Ports of other functions, whether they run or not. */
    heldPorts(except: string): Set<number> {
      const others = repository.list().filter((row) => row.provider === 'docker' && row.name !== except);
      return new Set(others.flatMap(({ port }) => port ?? []));
    },
    insert: (row: NewFunction) => repository.insert(row),
    /** Changes what is known of a running function; its date of deployment stays. */
    note: (name: string, change: FunctionChange) => repository.update(name, change),
    update: (name: string, change: FunctionChange) => repository.update(name, { ...change, updated_date: clock() }),
    remove(name: string): void {
      known.delete(name);
      repository.remove(name);
    },
  };
}
