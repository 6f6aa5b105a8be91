import { posix } from 'node:path';
import type { DeployRequest } from '../../../preload/contract/schema/functions.ts';
import { isRecord } from '../../formats/kit/records.ts';
import type { ConfigurationDocument, ParsedConfiguration } from '../configuration/parse-configuration.ts';
import { projectLabel } from '../configuration/parse-configuration.ts';

type Plain = Record<string, unknown>;

const part = (value: unknown): Plain => (isRecord(value) ? { ...value } : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? [...(value as unknown[])] : []);

/** Environment values of the deployed function with this name. */
export type EnvOf = (name: string) => ReadonlyMap<string, string>;

/** Applies the request's overrides to the configuration, like the options of Nuclio's CLI. */
export function applyOverrides(
  parsed: ParsedConfiguration,
  request: DeployRequest,
  envOf: EnvOf,
): { document: ConfigurationDocument; warnings: string[] } {
  const warnings: string[] = [];
  const metadata = part(parsed.document.metadata);
  const spec = part(parsed.document.spec);
  if (request.name !== undefined) metadata['name'] = request.name;
  if (request.project !== undefined) {
    metadata['labels'] = { ...part(metadata['labels']), [projectLabel]: request.project };
  }
  if (request.env.length > 0) spec['env'] = mergeEnv(spec['env'], request.env);
  fillEnv(spec, envOf(request.name ?? parsed.configuration.name), warnings);
  if (request.volumes.length > 0) spec['volumes'] = mergeVolumes(spec['volumes'], request.volumes);
  if (Object.keys(request.resource_limits).length > 0) {
    const resources = part(spec['resources']);
    spec['resources'] = { ...resources, limits: { ...part(resources['limits']), ...request.resource_limits } };
  }
  if (parsed.configuration.handler === '') spec['handler'] = 'main:handler';
  overrideWorkers(spec, parsed, request, warnings);
  overridePlatform(spec, request);
  if (request.run_as_user !== undefined) {
    spec['securityContext'] = { ...part(spec['securityContext']), runAsUser: request.run_as_user };
  }
  return { document: { metadata, spec }, warnings };
}

function mergeEnv(current: unknown, added: DeployRequest['env']): unknown[] {
  const names = new Set(added.map(({ name }) => name));
  return [...list(current).filter((entry) => !names.has(String(part(entry)['name']))), ...added];
}

/** Exported configurations list variables without values, because the values stay sealed. */
function fillEnv(spec: Plain, known: ReadonlyMap<string, string>, warnings: string[]): void {
  const kept: string[] = [];
  const empty: string[] = [];
  const env = list(spec['env']).map((entry) => {
    const { name, value, valueFrom } = part(entry);
    if (typeof name !== 'string' || (value ?? valueFrom ?? null) !== null) return entry;
    const before = known.get(name);
    (before === undefined ? empty : kept).push(name);
    return before === undefined ? entry : { ...part(entry), value: before };
  });
  if (env.length > 0) spec['env'] = env;
  if (kept.length > 0)
    warnings.push(`Values missing in the configuration were taken from the current function: ${kept.join(', ')}.`);
  if (empty.length > 0) {
    warnings.push(
      `Values missing in the configuration are empty: ${empty.join(', ')}. Set them with --env NAME=VALUE.`,
    );
  }
}

/** Replaces a volume with the same target, because a container can mount only one there. */
function mergeVolumes(current: unknown, added: DeployRequest['volumes']): unknown[] {
  const targets = new Set(added.map(({ target }) => mountPathOf(target)));
  const kept = list(current).filter(
    (entry) => !targets.has(mountPathOf(part(part(entry)['volumeMount'])['mountPath'])),
  );
  return [...kept, ...added.map((mount, index) => volume(mount, kept.length + index))];
}

const mountPathOf = (path: unknown): string => (typeof path === 'string' ? posix.resolve('/', path) : '');

const volume = (mount: DeployRequest['volumes'][number], index: number) => {
  const name = `limner-volume-${index + 1}`;
  return {
    volume: { name, hostPath: { path: mount.source } },
    volumeMount: { name, mountPath: mount.target, readOnly: mount.read_only },
  };
};

/** A GPU override also sets one worker, because the configured number was meant for CPUs. */
function overrideWorkers(spec: Plain, parsed: ParsedConfiguration, request: DeployRequest, warnings: string[]): void {
  const { trigger, resources } = parsed.configuration;
  const gpu = request.resource_limits['nvidia.com/gpu'];
  const getsCard = resources.gpuCount === 0 && gpu !== undefined && gpu !== '0';
  const workers = request.workers ?? (getsCard ? 1 : undefined);
  if (workers === undefined) return;
  if (request.workers === undefined && (trigger.workers ?? 1) > 1) {
    warnings.push(`On a GPU one worker runs instead of ${trigger.workers}. Request more if its memory is sufficient.`);
  }
  const triggers = part(spec['triggers']);
  const { maxWorkers: _older, ...kept } = part(triggers[trigger.name]);
  spec['triggers'] = { ...triggers, [trigger.name]: { kind: 'http', ...kept, numWorkers: workers } };
}

function overridePlatform(spec: Plain, request: DeployRequest): void {
  const attributes: Plain = {};
  if (request.gpu_memory_mib) attributes['gpuMemoryMiB'] = request.gpu_memory_mib;
  if (request.idle_stop_seconds !== undefined) attributes['idleStopSeconds'] = request.idle_stop_seconds ?? 0;
  if (request.network !== undefined) attributes['network'] = request.network;
  if (Object.keys(attributes).length === 0) return;
  const platform = part(spec['platform']);
  spec['platform'] = { ...platform, attributes: { ...part(platform['attributes']), ...attributes } };
}
