import { AppError } from '../../platform/errors.ts';
import type { NativeModels } from '../native/native-service.ts';
import type { FunctionModelFiles } from '../records/function-model-files.ts';
import type { FunctionRecord } from '../records/function-record.ts';
import type { FunctionRecords } from '../records/function-records.ts';

/** A model by name: a function record (container or URL), a model file, or a native function. */
export type NamedModel =
  | { readonly kind: 'record'; readonly record: FunctionRecord }
  | { readonly kind: 'model-file' }
  | { readonly kind: 'native' };

export type NamedModels = ReturnType<typeof createNamedModels>;

export function createNamedModels({
  records,
  native,
  modelFiles,
}: {
  readonly records: Pick<FunctionRecords, 'require'>;
  readonly native: Pick<NativeModels, 'isThere'>;
  readonly modelFiles: Pick<FunctionModelFiles, 'isThere'>;
}) {
  /** @throws AppError 404 if no model has the name */
  function named(name: string): NamedModel {
    if (native.isThere(name)) return { kind: 'native' };
    if (modelFiles.isThere(name)) return { kind: 'model-file' };
    return { kind: 'record', record: records.require(name) };
  }

  return {
    named,
    /** @throws AppError for functions that run elsewhere, because they cannot be started or stopped */
    container(name: string): FunctionRecord {
      const model = named(name);
      if (model.kind === 'native') throw conflict(`"${name}" runs in its agents. Start or stop these instead.`);
      if (model.kind === 'model-file') throw conflict(`"${name}" runs in Limner itself and starts when it is called.`);
      const { record } = model;
      if (record.row.provider === 'docker') return record;
      throw conflict(`"${name}" runs at ${record.row.address ?? 'an address'}, not on this computer.`);
    },
  };
}

const conflict = (message: string) => new AppError('conflict', message);
