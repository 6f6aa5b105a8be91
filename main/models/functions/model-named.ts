import type { FunctionRecord } from '../records/function-record.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { NativeModels } from '../native/native-service.ts';
import type { WeightsModels } from '../weights/weights-service.ts';

export interface ModelSources {
  readonly records: FunctionRecords;
  readonly native: Pick<NativeModels, 'isThere'>;
  readonly weights: Pick<WeightsModels, 'isThere'>;
}

/** What has a name: a function of a container or an address with its record, a file of weights, or agents. */
type NamedModel =
  | { readonly kind: 'record'; readonly record: FunctionRecord }
  | { readonly kind: 'weights' }
  | { readonly kind: 'native' };

/** @throws AppError 404 where nothing has the name */
export function modelNamed({ records, native, weights }: ModelSources, name: string): NamedModel {
  if (native.isThere(name)) return { kind: 'native' };
  if (weights.isThere(name)) return { kind: 'weights' };
  return { kind: 'record', record: records.require(name) };
}
