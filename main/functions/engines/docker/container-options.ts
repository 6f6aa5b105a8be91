import type { ContainerCreateOptions, DeviceRequest, HostRestartPolicy } from 'dockerode';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import type { ResolvedVolume } from '../../policy/permissions.ts';
import type { ResourcePlan } from '../../policy/resource-plan.ts';
import type { ImageDetails } from './images.ts';
import { handlerPlace } from './handler-archive.ts';
import { linkFile, linkPlace, type Link } from './link.ts';
import { defined } from '../../../platform/defined.ts';

/** Port on which every function listens inside its container. */
export const containerPort = 8080;
/** User id of `nobody`, because functions need no privileges. */
const nobody = 65_534;

export const functionLabels = {
  instance: 'app.limner.instance',
  function: 'app.limner.function',
  project: 'app.limner.project',
  owner: 'app.limner.owner',
  /** Link id and published port of functions that are called over a link. */
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
  /** Null for the image's command. */
  readonly command: readonly string[] | null;
  readonly volumes: readonly ResolvedVolume[];
  readonly plan: ResourcePlan;
  readonly port: number;
  /** Calls without a network; null if the function has a port on Docker's network. */
  readonly link: Pick<Link, 'id' | 'folder'> | null;
  readonly network: string;
  /** UUIDs or indexes of GPUs; null for none; a count if the GPUs are not known by name. */
  readonly cards: readonly string[] | number | null;
  /** GPU devices of the Container Device Interface; empty with NVIDIA's runtime. */
  readonly cdiCards: readonly string[];
}

export function containerOptions(input: ContainerInput): ContainerCreateOptions {
  const { configuration, image, imageName, command, plan, link, port } = input;
  const { security } = configuration;
  return {
    name: input.containerName,
    Image: imageName,
    Cmd: command === null ? undefined : [...command],
    Env: environmentOf(input),
    Labels: {
      [functionLabels.instance]: input.instance,
      [functionLabels.function]: configuration.name,
      [functionLabels.project]: configuration.project,
      [functionLabels.owner]: input.owner,
      ...defined({
        [functionLabels.link]: link === null ? undefined : link.id,
        [functionLabels.port]: link === null ? undefined : String(port),
      }),
    },
    User: userOf(configuration, image),
    WorkingDir: ['', '/'].includes(image.workingDirectory) ? `/${handlerPlace}` : image.workingDirectory,
    ExposedPorts: link === null ? { [`${containerPort}/tcp`]: {} } : undefined,
    // Nuclio's images have a health check whose program does not exist here.
    Healthcheck: { Test: ['NONE'] },
    StopTimeout: 5,
    HostConfig: {
      // The configured policy is set after the function is ready, so that a failing start is not repeated.
      RestartPolicy: { Name: 'no' },
      NanoCpus: Math.round(plan.cpuCores * 1e9),
      Memory: plan.memoryBytes,
      // Equal to `Memory`, which disables swap.
      MemorySwap: plan.memoryBytes,
      PidsLimit: plan.pids,
      ShmSize: plan.sharedMemoryBytes ?? undefined,
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
        ...(typeof link?.folder === 'string' ? [bindMount(link.folder, linkPlace, true)] : []),
      ],
      Devices: security.devices.map((device) => {
        const [host = '', inside = host, permissions = 'rwm'] = device.split(':');
        return { PathOnHost: host, PathInContainer: inside, CgroupPermissions: permissions };
      }),
      DeviceRequests: deviceRequests(input.cards, input.cdiCards),
      GroupAdd: security.extraGroups.map(String),
      PidMode: security.hostPid ? 'host' : undefined,
      IpcMode: security.hostIpc ? 'host' : undefined,
      UsernsMode: security.hostUserNamespace ? 'host' : undefined,
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

/** A function with a link gets no network, so it cannot reach this computer or other functions. */
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

/** The image's user, unless it is root. */
function userOf({ security }: FunctionConfiguration, image: ImageDetails): string {
  const [user = '', group = ''] = image.user.split(':');
  const isRoot = ['', '0', 'root'].includes(user);
  if (security.runAsUser === null && !isRoot) return image.user;
  const id = security.runAsUser ?? nobody;
  const groupId = security.runAsGroup ?? (id === nobody ? nobody : group === '' ? id : group);
  return `${id}:${groupId}`;
}

/**
 * Requests CDI devices if Docker has one for each GPU, else NVIDIA's hook. The hook rejects a count together with ids.
 * The driver is named `nvidia`, because error messages are misleading if it is empty.
 */
export function deviceRequests(cards: readonly string[] | number | null, cdiCards: readonly string[]): DeviceRequest[] {
  if (cards === null) return [];
  const devices = devicesOf(cards, cdiCards);
  if (devices !== null) return [{ Driver: 'cdi', DeviceIDs: devices }];
  const request = { Driver: 'nvidia', Capabilities: [['gpu']] };
  return [typeof cards === 'number' ? { ...request, Count: cards } : { ...request, DeviceIDs: [...cards] }];
}

const deviceOf = (id: string): string => `nvidia.com/gpu=${id}`;

/** GPUs have CDI devices by index, by UUID or both; `all` is every GPU. Null if a wanted GPU has no device. */
function devicesOf(cards: readonly string[] | number, known: readonly string[]): string[] | null {
  if (cards === -1) return known.includes(deviceOf('all')) ? [deviceOf('all')] : null;
  if (typeof cards === 'number') {
    const each = known.filter((device) => /=\d+$/.test(device)).slice(0, cards);
    return each.length === cards ? each : null;
  }
  const devices = cards.map(deviceOf);
  return devices.every((device) => known.includes(device)) ? devices : null;
}

/** Without a shared folder, the function listens inside its container, where it has no network but its own. */
function linkVariables(link: ContainerInput['link']): Record<string, string> {
  if (link === null) return {};
  return link.folder === null
    ? { LIMNER_BRIDGE: '1', LIMNER_ADDRESS: '127.0.0.1' }
    : { LIMNER_LINK: `${linkPlace}/${linkFile}` };
}

function environmentOf({ configuration, plan, link, port }: ContainerInput): string[] {
  const { trigger, security, name, handler, description } = configuration;
  const isHostNetwork = security.network === 'host';
  const own: Record<string, string> = {
    // `nobody` has no home directory, and libraries write their caches there.
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
    ...linkVariables(link),
    LIMNER_WORKERS: String(plan.workers),
    LIMNER_WORKER_WAIT_MS: String(trigger.workerAvailabilityTimeoutMs),
    LIMNER_EVENT_TIMEOUT_MS: String(configuration.eventTimeoutMs),
    LIMNER_MAX_BODY_BYTES: String(trigger.maxRequestBodyBytes),
  };
  return Object.entries(own).map(([key, value]) => `${key}=${value}`);
}
