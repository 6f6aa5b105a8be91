import { z } from 'zod';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { defaults } from '../configuration/defaults.ts';
import { parseConfigurationDocument, type ConfigurationDocument } from '../configuration/parse-configuration.ts';
import type { FunctionConfiguration } from '../configuration/parse-configuration.ts';
import { describeModel, ModelProblem, type ModelDescription } from '../configuration/model-description.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { GpuNeed } from '../gpu/gpu-budget.ts';
import type { FunctionRow } from './function-repository.ts';

/** A row with parsed JSON and decrypted secrets. */
export interface FunctionRecord {
  readonly row: FunctionRow;
  readonly document: ConfigurationDocument;
  readonly configuration: FunctionConfiguration;
  readonly commands: readonly (readonly string[])[] | null;
  readonly cards: readonly string[];
  readonly grants: readonly string[];
  readonly warnings: readonly string[];
  /** MiB per worker by GPU UUID. */
  readonly measured: Readonly<Record<string, number>>;
  /** Sent with every call of a function at a URL. */
  readonly headers: Readonly<Record<string, string>>;
}

const texts = z.array(z.string());
const sizes = z.record(z.string(), z.number());
const commandLists = z.array(texts).nullable();
const documentSchema = z.object({
  metadata: z.record(z.string(), z.unknown()),
  spec: z.record(z.string(), z.unknown()),
});
const secretsSchema = z.object({
  env: z.record(z.string(), z.string()).default({}),
  headers: z.record(z.string(), z.string()).default({}),
});
export type FunctionSecrets = z.output<typeof secretsSchema>;

/** Default idle time before a GPU function stops and releases its GPU. */
const defaultGpuIdleSeconds = 600;

/** Values of variables may be secrets, so they are stored separately from the configuration, which is shown. */
export function splitSecrets(document: ConfigurationDocument): {
  document: ConfigurationDocument;
  env: Record<string, string>;
} {
  const { env } = document.spec;
  if (!Array.isArray(env)) return { document, env: {} };
  const values: Record<string, string> = {};
  const names = env.map((entry: unknown) => {
    const name: unknown = Reflect.get(Object(entry), 'name');
    const value: unknown = Reflect.get(Object(entry), 'value');
    if (typeof name === 'string' && value !== undefined && value !== null) values[name] = String(value);
    return { name };
  });
  return { document: { ...document, spec: { ...document.spec, env: names } }, env: values };
}

function joinSecrets(document: ConfigurationDocument, values: Readonly<Record<string, string>>): ConfigurationDocument {
  const { env } = document.spec;
  if (!Array.isArray(env)) return document;
  const whole = env.map((entry: unknown) => {
    const name: unknown = Reflect.get(Object(entry), 'name');
    return { name, value: typeof name === 'string' ? (values[name] ?? '') : '' };
  });
  return { ...document, spec: { ...document.spec, env: whole } };
}

export function sealSecrets(secrets: SecretBox, content: Partial<FunctionSecrets>): string {
  const isEmpty = Object.values(content).every((part) => Object.keys(part).length === 0);
  return isEmpty ? '' : secrets.seal(JSON.stringify(content));
}

/** @throws AppError if the secrets cannot be decrypted on this computer */
export function readRecord(row: FunctionRow, secrets: SecretBox): FunctionRecord {
  const { env, headers } = secretsSchema.parse(row.secrets === '' ? {} : JSON.parse(secrets.open(row.secrets)));
  const document = documentSchema.parse(JSON.parse(row.document));
  const whole = joinSecrets(document, env);
  return {
    row,
    document,
    configuration: parseConfigurationDocument(whole, row.name).configuration,
    commands: commandLists.parse(row.commands === null ? null : JSON.parse(row.commands)),
    cards: texts.parse(JSON.parse(row.cards)),
    grants: texts.parse(JSON.parse(row.grants)),
    warnings: texts.parse(JSON.parse(row.warnings)),
    measured: sizes.parse(JSON.parse(row.measured_cards)),
    headers,
  };
}

/** Idle time before the function is stopped; null for never. */
export function idleSeconds({ row, configuration }: FunctionRecord): number | null {
  if (row.idle_stop_seconds !== null) return row.idle_stop_seconds || null;
  if (configuration.idleStopSeconds !== undefined) return configuration.idleStopSeconds;
  return configuration.resources.gpuCount > 0 ? defaultGpuIdleSeconds : null;
}

/** GPU memory per worker, as declared with the deployment or in the configuration. */
const declaredMiB = ({ row, configuration }: FunctionRecord): number | null =>
  row.gpu_memory_mib ?? configuration.resources.gpuMemoryMiB;

/** GPU memory per worker for the scheduler: declared, or the maximum measured on that GPU or on any. */
export function perWorkerMiB(record: FunctionRecord, uuid: string): number | null {
  const measured = record.measured[uuid] ?? record.row.measured_gpu_memory_mib;
  const declared = declaredMiB(record);
  return declared === null ? measured : Math.max(declared, measured ?? 0);
}

export function cardNeedOf(record: FunctionRecord): GpuNeed {
  const { gpuCount, gpuDevices } = record.configuration.resources;
  return {
    functionName: record.row.name,
    count: gpuCount,
    devices: gpuDevices,
    workers: workersOf(record),
    perWorkerMiB: declaredMiB(record) ?? record.row.measured_gpu_memory_mib,
    measured: record.measured,
    preferred: record.cards,
  };
}

export const workersOf = ({ configuration }: FunctionRecord): number => configuration.trigger.workers ?? 1;

/** The function's model, or the reason why it has none. */
export function modelOf(described: Parameters<typeof describeModel>[0]): ModelDescription | ModelProblem {
  try {
    return describeModel(described);
  } catch (error) {
    if (error instanceof ModelProblem) return error;
    throw error;
  }
}

/** Model fields of API answers; empty values if there is no model. */
export const presentModel = (model: ModelDescription | ModelProblem) =>
  model instanceof ModelProblem
    ? { kind: null, labels: [], model_problem: model.message }
    : {
        kind: model.kind,
        labels: [...model.labels],
        model_problem: null,
        ...(model.takesPhrases ? { takes_phrases: true } : {}),
        ...(model.fillsAttributes ? { fills_attributes: true } : {}),
      };

/** Container fields for models without a container. */
export const withoutContainer = () => ({
  engine: null,
  namespace: defaults.namespace,
  project: defaults.project,
  node_port: null,
  address: null,
  way: null,
  image: null,
  directory: null,
  handler: '',
  workers: 1,
  cpu_cores: null,
  gpu: { count: 0, devices: [], declared_mib: null, measured_mib: null },
  version: 1,
  waiting: null,
  message: '',
  warnings: [],
  grants: [],
});

/** @param waiting its position in the GPU queue */
export function presentRecord(record: FunctionRecord, waiting: ModelFunction['waiting'] = null): ModelFunction {
  const { row, configuration, warnings, grants, cards } = record;
  const isRunning = row.state === 'ready' || row.state === 'unhealthy';
  return {
    namespace: configuration.namespace,
    name: row.name,
    project: row.project,
    state: row.state,
    node_port: isRunning ? row.port : null,
    replicas: `${isRunning ? 1 : 0}/1`,
    provider: row.provider,
    is_model_file: false,
    engine: row.provider === 'docker' ? row.engine : null,
    address: row.address,
    ...presentModel(modelOf(configuration)),
    title: configuration.annotations['name'] || row.name,
    description: configuration.description,
    way: row.way,
    image: row.running_image ?? row.image,
    directory: row.is_directory_own === 1 ? null : row.directory,
    handler: configuration.handler,
    runtime: configuration.runtime.text,
    workers: workersOf(record),
    cpu_cores: configuration.resources.cpuCores,
    memory_bytes: configuration.resources.memoryBytes,
    gpu: {
      count: configuration.resources.gpuCount,
      devices: [...cards],
      declared_mib: declaredMiB(record),
      measured_mib: row.measured_gpu_memory_mib,
    },
    version: row.version,
    waiting,
    agents: null,
    idle_stop_seconds: idleSeconds(record),
    message: row.message,
    warnings: [...warnings],
    grants: [...grants],
    created_date: row.created_date,
    updated_date: row.updated_date,
  };
}
