import type { ContainerCreateOptions, DeviceRequest, HostRestartPolicy } from 'dockerode';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import type { ResolvedVolume } from '../../policy/demands.ts';
import type { ResourcePlan } from '../../policy/resource-plan.ts';
import type { ImageDetails } from './images.ts';
import { handlerPlace } from './handler-archive.ts';
import { linkFile, linkPlace, type Link } from './link.ts';

/** Port on which every function listens inside its container. */
export const containerPort = 8080;
/** Nobody: functions need no rights. */
const nobody = 65_534;

export const functionLabels = {
  instance: 'app.limner.instance',
  function: 'app.limner.function',
  project: 'app.limner.project',
  owner: 'app.limner.owner',
  /** Of functions that are called over a link: its id, and the port that Limner answers for them. */
  link: 'app.limner.link',
  port: 'app.limner.port',
} as const;

export interface ContainerInput {
  readonly configuration: FunctionConfiguration;
  readonly image: ImageDetails;
  readonly imageName: string;
  readonly instance: string;
  readonly owner: string;
  readonly containerName: string;
  /** Null: the image's own. */
  readonly command: readonly string[] | null;
  readonly volumes: readonly ResolvedVolume[];
  readonly plan: ResourcePlan;
  readonly port: number;
  /** How calls come to it without a network; null: by a port of the Engine's network. */
  readonly link: Pick<Link, 'id' | 'folder'> | null;
  readonly network: string;
  /** UUIDs or indexes of cards; null where the function has none; a number where the cards are not known by name. */
  readonly cards: readonly string[] | number | null;
  /** Devices of the Engine that are cards; none where they are had by NVIDIA's runtime. */
  readonly cdiCards: readonly string[];
}

/** A function's container: as few rights as it can do with, and what was granted beyond them. */
export function containerOptions(input: ContainerInput): ContainerCreateOptions {
  const { configuration, image, imageName, command, plan, link, port } = input;
  const { security } = configuration;
  return {
    name: input.containerName,
    Image: imageName,
    ...(command === null ? {} : { Cmd: [...command] }),
    Env: environmentOf(input),
    Labels: {
      [functionLabels.instance]: input.instance,
      [functionLabels.function]: configuration.name,
      [functionLabels.project]: configuration.project,
      [functionLabels.owner]: input.owner,
      ...(link === null ? {} : { [functionLabels.link]: link.id, [functionLabels.port]: String(port) }),
    },
    User: userOf(configuration, image),
    WorkingDir: ['', '/'].includes(image.workingDirectory) ? `/${handlerPlace}` : image.workingDirectory,
    ...(link === null ? { ExposedPorts: { [`${containerPort}/tcp`]: {} } } : {}),
    // Images of Nuclio's look at themselves every second, with a program that is not there.
    Healthcheck: { Test: ['NONE'] },
    StopTimeout: 5,
    HostConfig: {
      // The function's own holds from when it is ready: one that cannot start is not started again and again.
      RestartPolicy: { Name: 'no' },
      NanoCpus: Math.round(plan.cpuCores * 1e9),
      Memory: plan.memoryBytes,
      // The same: no swap beside the memory.
      MemorySwap: plan.memoryBytes,
      PidsLimit: plan.pids,
      ...(plan.sharedMemoryBytes === null ? {} : { ShmSize: plan.sharedMemoryBytes }),
      CapDrop: security.privileged ? [] : ['ALL'],
      CapAdd: [...security.addedCapabilities],
      SecurityOpt: [
        ...(security.allowPrivilegeEscalation || security.privileged ? [] : ['no-new-privileges']),
        ...security.securityOptions,
      ],
      Privileged: security.privileged,
      ReadonlyRootfs: !security.writableRootFilesystem && !security.privileged,
      Tmpfs: {
        '/tmp': `rw,nosuid,nodev,${security.executableTemporary ? 'exec,' : ''}mode=1777,size=${plan.temporaryBytes}`,
      },
      Mounts: [
        ...input.volumes.map((volume) => bindMount(volume.realPath, volume.mountPath, volume.readOnly)),
        ...(link === null ? [] : [bindMount(link.folder, linkPlace, true)]),
      ],
      Devices: security.devices.map((device) => {
        const [host = '', inside = host, permissions = 'rwm'] = device.split(':');
        return { PathOnHost: host, PathInContainer: inside, CgroupPermissions: permissions };
      }),
      DeviceRequests: deviceRequests(input.cards, input.cdiCards),
      GroupAdd: security.extraGroups.map(String),
      ...(security.hostPid ? { PidMode: 'host' } : {}),
      ...(security.hostIpc ? { IpcMode: 'host' } : {}),
      ...(security.hostUserNamespace ? { UsernsMode: 'host' } : {}),
      ...networkOf(input),
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '2' } },
    },
  };
}

const bindMount = (Source: string, Target: string, ReadOnly: boolean) => ({
  Type: 'bind' as const,
  Source,
  Target,
  ReadOnly,
});

/** None at all where there is a link: nothing of this computer and no other function can be reached then. */
function networkOf({ configuration, link, port, network }: ContainerInput) {
  const { security, trigger } = configuration;
  if (link !== null) return { NetworkMode: 'none' };
  if (security.network === 'host') return { NetworkMode: 'host' };
  return {
    NetworkMode: security.network || network,
    PortBindings: { [`${containerPort}/tcp`]: [{ HostIp: trigger.address, HostPort: String(port) }] },
  };
}

export const restartPolicy = ({ restart }: FunctionConfiguration): HostRestartPolicy =>
  restart.name === 'no' ? { Name: 'no' } : { Name: 'on-failure', MaximumRetryCount: restart.maximumRetryCount };

/** Whatever the image says, unless that is the administrator. */
function userOf({ security }: FunctionConfiguration, image: ImageDetails): string {
  const [user = '', group = ''] = image.user.split(':');
  const isRoot = ['', '0', 'root'].includes(user);
  if (security.runAsUser === null && !isRoot) return image.user;
  const id = security.runAsUser ?? nobody;
  const groupId = security.runAsGroup ?? (id === nobody ? nobody : group === '' ? id : group);
  return `${id}:${groupId}`;
}

/**
 * As devices of the Container Device Interface where the Engine has one for each card, else by NVIDIA's hook. For that one
 * there must be no count with ids; `nvidia` by name, as an empty driver names the wrong thing in error messages.
 */
export function deviceRequests(cards: readonly string[] | number | null, cdiCards: readonly string[]): DeviceRequest[] {
  if (cards === null) return [];
  const devices = devicesOf(cards, cdiCards);
  if (devices !== null) return [{ Driver: 'cdi', DeviceIDs: devices }];
  const request = { Driver: 'nvidia', Capabilities: [['gpu']] };
  return [typeof cards === 'number' ? { ...request, Count: cards } : { ...request, DeviceIDs: [...cards] }];
}

const deviceOf = (id: string): string => `nvidia.com/gpu=${id}`;

/** Each card has one by its index, by its UUID, or two; `all` is all of them. Null: not every one that is wanted has one. */
function devicesOf(cards: readonly string[] | number, known: readonly string[]): string[] | null {
  if (cards === -1) return known.includes(deviceOf('all')) ? [deviceOf('all')] : null;
  if (typeof cards === 'number') {
    const each = known.filter((device) => /=\d+$/.test(device)).slice(0, cards);
    return each.length === cards ? each : null;
  }
  const devices = cards.map(deviceOf);
  return devices.every((device) => known.includes(device)) ? devices : null;
}

function environmentOf({ configuration, plan, link, port }: ContainerInput): string[] {
  const { trigger, security, name, handler, description } = configuration;
  const isHostNetwork = security.network === 'host';
  const own: Record<string, string> = {
    // Nobody has no home, and libraries write their caches there.
    HOME: '/tmp',
    NUCLIO_FUNCTION_NAME: name,
    NUCLIO_FUNCTION_HANDLER: handler,
    NUCLIO_FUNCTION_DESCRIPTION: description,
    NUCLIO_FUNCTION_VERSION: 'latest',
    NUCLIO_HANDLER: handler,
    ...Object.fromEntries(configuration.env.map((one) => [one.name, one.value])),
    LIMNER_FUNCTION_NAME: name,
    LIMNER_HANDLER: handler,
    LIMNER_HANDLER_DIR: `/${handlerPlace}`,
    LIMNER_NAMESPACE: configuration.namespace,
    LIMNER_TRIGGER_NAME: trigger.name,
    LIMNER_PORT: String(isHostNetwork ? port : containerPort),
    LIMNER_ADDRESS: isHostNetwork ? trigger.address : '0.0.0.0',
    ...(link === null ? {} : { LIMNER_LINK: `${linkPlace}/${linkFile}` }),
    LIMNER_WORKERS: String(plan.workers),
    LIMNER_WORKER_WAIT_MS: String(trigger.workerAvailabilityTimeoutMs),
    LIMNER_EVENT_TIMEOUT_MS: String(configuration.eventTimeoutMs),
    LIMNER_MAX_BODY_BYTES: String(trigger.maxRequestBodyBytes),
  };
  return Object.entries(own).map(([key, value]) => `${key}=${value}`);
}
