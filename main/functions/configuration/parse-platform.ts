import type { FieldReader } from './field-reader.ts';
import { byteText, parseQuantity } from './quantities.ts';

/** The minimum that Docker accepts. */
const minMemoryBytes = 6 * 1024 * 1024;
const maxGpuMemoryMiB = 16 * 1024 * 1024;
/** Half of the default process id limit of Linux (32,768); other programs need the rest. */
const maxPids = 16_384;
const minPids = 32;
const maxIdleSeconds = 30 * 24 * 60 * 60;
const maxUserId = 4_294_967_294;
const defaultRetries = 3;

export function readResources(resources: FieldReader, platform: FieldReader) {
  const limits = resources.mapping('limits');
  const cpuCores = readAmount(limits, 'cpu', 'cores, for example 2 or 500m');
  const memoryBytes = readAmount(limits, 'memory', 'bytes, for example 2Gi');
  if (cpuCores !== null && cpuCores < 0.01) limits.problem('cpu', 'A function needs at least 0.01 cores.');
  if (memoryBytes !== null && memoryBytes < minMemoryBytes) {
    limits.problem('memory', `${byteText(memoryBytes)} is too little; Docker requires at least 6 MiB.`);
  }
  const gpu = readGpu(limits);
  for (const key of limits.keys) {
    if (key.endsWith('/gpu') && key !== 'nvidia.com/gpu') {
      limits.problem(key, 'Only NVIDIA GPUs are supported (nvidia.com/gpu).');
    }
  }
  limits.finish(['ephemeral-storage', 'storage']);
  // Resource requests place a function in a cluster and have no effect here.
  resources.finish(['requests']);
  return {
    cpuCores,
    memoryBytes: memoryBytes === null ? null : Math.floor(memoryBytes),
    ...gpu,
    /** Processes and threads together; null derives the limit from workers and cores. */
    pidsLimit: platform.wholeNumber('pidsLimit', minPids, maxPids) ?? null,
    /** Size of /dev/shm; null for Docker's default. */
    sharedMemoryBytes: readSize(platform, 'shmSize'),
    /** Size of /tmp; null for Limner's default. */
    temporaryBytes: readSize(platform, 'tmpSize'),
    /** GPU memory of each worker, as declared in the configuration. */
    gpuMemoryMiB: platform.wholeNumber('gpuMemoryMiB', 1, maxGpuMemoryMiB) ?? null,
  };
}

function readAmount(limits: FieldReader, key: string, unit: string): number | null {
  const value = limits.raw(key);
  if (value === undefined || value === '') return null;
  const amount = parseQuantity(value);
  if (amount !== undefined && amount > 0) return amount;
  limits.problem(key, `${JSON.stringify(value)} is not a valid number of ${unit}.`);
  return null;
}

function readSize(platform: FieldReader, key: string): number | null {
  const bytes = readAmount(platform, key, 'bytes, for example 2Gi');
  return bytes === null ? null : Math.ceil(bytes);
}

/** Reads a GPU count or `device=` with indexes or UUIDs. An empty `gpuDevices` allows any GPU. */
function readGpu(limits: FieldReader): { readonly gpuCount: number; readonly gpuDevices: readonly string[] } {
  const text = (limits.text('nvidia.com/gpu') ?? '0').trim();
  if (/^\d{1,3}$/.test(text)) return { gpuCount: Number(text), gpuDevices: [] };
  const devices = /^device=(.+)$/.exec(text)?.[1]?.split(',') ?? [];
  const isGood = devices.every((id) => /^(\d{1,3}|(GPU|MIG)-[\w-]{1,64})$/.test(id));
  if (devices.length > 0 && isGood && new Set(devices).size === devices.length) {
    return { gpuCount: devices.length, gpuDevices: devices };
  }
  limits.problem(
    'nvidia.com/gpu',
    `"${text}" is neither a number of GPUs nor a list such as device=0,1 or device=GPU-….`,
  );
  return { gpuCount: 0, gpuDevices: [] };
}

/**
 * Nuclio's configurations combine `always` with a retry count, which Docker rejects. Limner starts functions on demand,
 * so a function that exits is restarted a few times and then left stopped.
 */
export function readRestart(platform: FieldReader): {
  readonly name: 'no' | 'on-failure';
  readonly maximumRetryCount: number;
} {
  const policy = platform.mapping('restartPolicy');
  const name = policy.text('name') ?? '';
  const count = policy.wholeNumber('maximumRetryCount', 0, 1000);
  policy.finish();
  if (['', 'always', 'unless-stopped', 'on-failure'].includes(name)) {
    return { name: 'on-failure', maximumRetryCount: count || defaultRetries };
  }
  if (!['no', 'never', 'false'].includes(name)) {
    policy.problem('name', `"${name}" is not a restart policy. Supported: no, on-failure, unless-stopped, always.`);
  }
  return { name: 'no', maximumRetryCount: 0 };
}

/** Reads the idle timeout in milliseconds; null for never, undefined if the configuration has none. */
export function readIdleStop(platform: FieldReader): number | null | undefined {
  const seconds = platform.wholeNumber('idleStopSeconds', 0, maxIdleSeconds);
  return seconds === 0 ? null : seconds;
}

/** Reads all settings that reach outside the function's container, under any of their usual names. */
export function readSecurity(spec: FieldReader, platform: FieldReader) {
  const context = spec.mapping('securityContext');
  const places = [context, platform, spec];
  const any = (...keys: string[]): boolean =>
    places.map((place) => keys.map((key) => place.truth(key) === true).includes(true)).includes(true);
  const texts = (...keys: string[]): string[] =>
    places.flatMap((place) => keys.flatMap((key) => (place.raw(key) === undefined ? [] : textsOf(place, key))));
  const readOnly = places.map((place) => place.truth('readOnlyRootFilesystem'));
  const escalation = places.map((place) => place.truth('allowPrivilegeEscalation'));
  const network = texts('network', 'networkMode').find((name) => name !== '') ?? '';
  if (network !== '' && !/^[\w][\w.:-]{0,127}$/.test(network)) {
    platform.problem('network', `"${network}" is not a valid network name.`);
  }
  const capabilities = context.mapping('capabilities');
  const result = {
    runAsUser: context.wholeNumber('runAsUser', 0, maxUserId) ?? null,
    runAsGroup: context.wholeNumber('runAsGroup', 0, maxUserId) ?? null,
    extraGroups: [...[context.wholeNumber('fsGroup', 0, maxUserId) ?? []].flat(), ...readGroups(context)],
    privileged: any('privileged'),
    allowPrivilegeEscalation: escalation.includes(true),
    writableRootFilesystem: readOnly.includes(false),
    /** True if programs and libraries may be run from /tmp. */
    executableTemporary: platform.truth('executableTmp') ?? false,
    addedCapabilities: [...capabilities.texts('add'), ...texts('capAdd', 'cap_add')].map((name) =>
      name.toUpperCase().replace(/^CAP_/, ''),
    ),
    devices: readDevices(spec, texts('deviceMappings')),
    /** A Docker network. Empty (also for "none") is Limner's own network without internet access. */
    network: any('hostNetwork') ? 'host' : network === 'none' ? '' : network,
    hostPid: any('hostPID', 'hostPid') || texts('pid', 'pidMode').some((mode) => mode !== '' && mode !== 'private'),
    hostIpc: any('hostIPC', 'hostIpc') || texts('ipc', 'ipcMode').some((mode) => mode !== '' && mode !== 'private'),
    hostUserNamespace: any('hostUsers') || texts('userns', 'usernsMode').includes('host'),
    /** For example `seccomp=unconfined`. */
    securityOptions: readSecurityOptions(context, texts('securityOpt', 'security_opt')),
  };
  capabilities.finish(['drop']);
  context.finish(['runAsNonRoot', 'seLinuxOptions', 'sysctls', 'fsGroupChangePolicy', 'procMount']);
  return result;
}

function readGroups(context: FieldReader): number[] {
  return context.texts('supplementalGroups').flatMap((text) => {
    const id = Number(text);
    if (/^\d+$/.test(text) && id <= maxUserId) return [id];
    context.problem('supplementalGroups', `"${text}" is not a valid group id.`);
    return [];
  });
}

function textsOf(reader: FieldReader, key: string): string[] {
  return Array.isArray(reader.raw(key)) ? reader.texts(key) : [reader.text(key) ?? ''];
}

function readDevices(spec: FieldReader, more: readonly string[]): string[] {
  return [...spec.texts('devices'), ...more].flatMap((device) => {
    if (/^\/[^\s:]+(:\/[^\s:]+)?(:[rwm]{1,3})?$/.test(device) && !device.split('/').includes('..')) return [device];
    spec.problem('devices', `"${device}" is not a valid device. Write /dev/name.`);
    return [];
  });
}

function readSecurityOptions(context: FieldReader, options: readonly string[]): string[] {
  const profiles = (['seccompProfile', 'appArmorProfile'] as const).flatMap((key) => {
    const profile = context.mapping(key);
    const type = profile.text('type') ?? '';
    profile.finish(['localhostProfile']);
    return /^unconfined$/i.test(type) ? [`${key === 'seccompProfile' ? 'seccomp' : 'apparmor'}=unconfined`] : [];
  });
  return [...profiles, ...options.filter((option) => option !== '' && !option.startsWith('no-new-privileges'))];
}
