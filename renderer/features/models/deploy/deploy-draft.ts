import type { DeployInput } from '../../../api/model-queries.ts';

export const deployWays = ['handler', 'build', 'image', 'archive'] as const;
export type DeployWay = (typeof deployWays)[number];
export const handlerSources = ['folder', 'files', 'sample'] as const;
export type HandlerSource = (typeof handlerSources)[number];

/** A handler file chosen in a browser; its path is relative to the handler's folder. */
export interface HandlerFile {
  readonly path: string;
  readonly base64: string;
  readonly sizeBytes: number;
}
interface EnvEntry {
  readonly name: string;
  readonly value: string;
}
interface VolumeEntry {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** Input so far. Empty texts and numbers use the configuration's value. */
export interface DeployDraft {
  readonly way: DeployWay;
  readonly source: HandlerSource;
  readonly directory: string;
  readonly files: readonly HandlerFile[];
  readonly sample: string | null;
  readonly archive: string;
  readonly imported: readonly string[];
  readonly image: string;
  readonly baseImage: string;
  /** Null uses the file in the folder. */
  readonly configuration: string | null;
  readonly configurationName: string;
  /** Null: that of this computer, or of the deployed function. */
  readonly engine: string | null;
  readonly name: string;
  readonly project: string;
  readonly workers: number | '';
  readonly cpu: string;
  readonly memory: string;
  readonly gpus: number | '';
  readonly gpuMemoryMiB: number | '';
  readonly idleStopSeconds: number | '';
  readonly env: readonly EnvEntry[];
  readonly volumes: readonly VolumeEntry[];
  readonly grants: readonly string[];
}

export const emptyDraft: DeployDraft = {
  way: 'handler',
  source: 'folder',
  directory: '',
  files: [],
  sample: null,
  archive: '',
  imported: [],
  image: '',
  baseImage: '',
  configuration: null,
  configurationName: 'function.yaml',
  engine: null,
  name: '',
  project: '',
  workers: '',
  cpu: '',
  memory: '',
  gpus: '',
  gpuMemoryMiB: '',
  idleStopSeconds: '',
  env: [],
  volumes: [],
  grants: [],
};

export const hasHandler = ({ way }: Pick<DeployDraft, 'way'>): boolean => way === 'handler' || way === 'build';
const configurationFile = 'function.yaml';

export function withoutCommonFolder<Named extends { readonly path: string }>(files: readonly Named[]): Named[] {
  const [first] = files;
  const folder = first === undefined ? '' : first.path.slice(0, first.path.indexOf('/') + 1);
  const isCommon = folder !== '' && files.every(({ path }) => path.startsWith(folder));
  return isCommon ? files.map((file) => ({ ...file, path: file.path.slice(folder.length) })) : [...files];
}

/** True if the configuration can come from the handler's source. */
export const offersConfiguration = (draft: DeployDraft): boolean =>
  hasHandler(draft) && (draft.source !== 'files' || draft.files.some(({ path }) => path === configurationFile));

const text = <Key extends string>(key: Key, value: string) => (value.trim() === '' ? {} : { [key]: value.trim() });
const number = <Key extends string>(key: Key, value: number | '') => (value === '' ? {} : { [key]: value });

function sourceOf(draft: DeployDraft): Partial<DeployInput> {
  const { way, source, archive, image, imported } = draft;
  if (way === 'image') return { way, ...text('image', image) };
  if (way === 'archive' && imported.length > 0) return { way: 'image', ...text('image', image) };
  if (way === 'archive') return { way, ...text('archive', archive), ...text('image', image) };
  const base = { way, ...text('base_image', draft.baseImage) };
  if (source === 'folder') return { ...base, ...text('directory', draft.directory) };
  if (source === 'sample') return { ...base, ...(draft.sample === null ? {} : { sample: draft.sample }) };
  return { ...base, files: draft.files.map(({ path, base64 }) => ({ path, content: base64 })) };
}

/** True if the input suffices for a check by the service. */
export function isComplete(draft: DeployDraft): boolean {
  const { way, source, configuration } = draft;
  if (!hasHandler(draft)) {
    if (configuration === null || configuration.trim() === '') return false;
    return way === 'image' || draft.imported.length > 0 || draft.archive.trim() !== '';
  }
  if (configuration !== null ? configuration.trim() === '' : !offersConfiguration(draft)) return false;
  if (source === 'folder') return draft.directory.trim() !== '';
  return source === 'sample' ? draft.sample !== null : draft.files.length > 0;
}

export function requestOf(draft: DeployDraft): DeployInput {
  const { configuration } = draft;
  const limits = { ...text('cpu', draft.cpu), ...text('memory', draft.memory) };
  const gpus = draft.gpus === '' ? {} : { 'nvidia.com/gpu': String(draft.gpus) };
  return {
    ...sourceOf(draft),
    ...(configuration === null ? {} : { configuration, configuration_name: draft.configurationName }),
    ...(draft.engine === null ? {} : { engine: draft.engine }),
    ...text('name', draft.name),
    ...text('project', draft.project),
    ...number('workers', draft.workers),
    ...number('gpu_memory_mib', draft.gpuMemoryMiB),
    ...number('idle_stop_seconds', draft.idleStopSeconds),
    resource_limits: { ...limits, ...gpus },
    env: draft.env.filter(({ name }) => name.trim() !== '').map(({ name, value }) => ({ name: name.trim(), value })),
    volumes: draft.volumes
      .filter(({ source, target }) => source.trim() !== '' && target.trim() !== '')
      .map(({ source, target, readOnly }) => ({ source: source.trim(), target: target.trim(), read_only: readOnly })),
    grants: [...draft.grants],
  };
}

/** Check request while typing, without file contents, which do not affect the result. */
export function checkRequestOf(draft: DeployDraft): DeployInput {
  const request = { ...requestOf(draft), grants: [] };
  if (request.files === undefined) return request;
  const files = request.files.map((file) => (file.path === configurationFile ? file : { ...file, content: '' }));
  return { ...request, files };
}

export interface DraftProps {
  readonly draft: DeployDraft;
  readonly onChange: (change: Partial<DeployDraft>) => void;
  readonly errors: Readonly<Record<string, string | undefined>>;
}
