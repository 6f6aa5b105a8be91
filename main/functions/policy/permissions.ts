import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { AppError } from '../../platform/errors.ts';
import type { FunctionConfiguration } from '../configuration/parse-configuration.ts';
import type { HostVolume } from '../configuration/parse-volumes.ts';
import { defaults } from '../configuration/defaults.ts';

/** A permission that a configuration needs beyond the default isolation. */
export interface Permission {
  /** Must match the grant exactly. */
  readonly id: string;
  /** Explains the consequence of a grant to the owner of this computer. */
  readonly message: string;
}

/** A volume whose host path is resolved, including symbolic links. */
export interface ResolvedVolume extends HostVolume {
  readonly realPath: string;
  readonly isInside: boolean;
}

export interface PolicyInput {
  readonly configuration: FunctionConfiguration;
  /** Folder of the handler, whose content is the function's own; null if the function is an image. */
  readonly handlerDirectory: string | null;
  /** A folder that the configuration names and the user did not choose. It becomes part of the image. */
  readonly copiedFolder?: string | null;
}

const loopback: ReadonlySet<string> = new Set([defaults.address, '::1']);
const firstFreePort = 1024;
/** Variables that assign GPUs through the container runtime, beyond the configuration's limits. */
const deviceVariables =
  /^NVIDIA_(VISIBLE_DEVICES|MIG_(CONFIG|MONITOR)_DEVICES|IMEX_CHANNELS|MOFED|GDS|GDRCOPY|NVSWITCH)$/;
/** Variables that load libraries into every program, including the tools that assign GPUs. */
const loaderVariables = /^LD_(PRELOAD|AUDIT)$/;
/** Lower group ids belong to the system, for example disks, Docker and devices. */
const firstOwnGroup = 1000;

/** @throws AppError 400 for a volume that does not exist */
export async function resolveVolumes({ configuration, handlerDirectory }: PolicyInput): Promise<ResolvedVolume[]> {
  const home = handlerDirectory === null ? null : await realpath(handlerDirectory).catch(() => handlerDirectory);
  return Promise.all(
    configuration.volumes.map(async (volume): Promise<ResolvedVolume> => {
      const realPath = await realpath(resolve(volume.hostPath)).catch((cause: unknown) => {
        const message = `The volume "${volume.name}" of "${configuration.name}" uses ${volume.hostPath}, which does not exist.`;
        throw new AppError('invalid', message, { volumes: [message] }, { cause });
      });
      return { ...volume, realPath, isInside: home !== null && isWithin(home, realPath) };
    }),
  );
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !isAbsolute(way) && way !== '..' && !/^\.\.[\\/]/.test(way);
}

/** All permissions that the owner would have to grant, in a stable order; empty for an isolated function. */
export async function findPermissions(input: PolicyInput): Promise<Permission[]> {
  const volumes = await resolveVolumes(input);
  return [
    ...volumes.filter((volume) => !volume.isInside).map(volumePermission),
    ...(await folderPermissions(input)),
    ...securityPermissions(input.configuration),
    ...portPermissions(input.configuration),
  ];
}

function volumePermission({ realPath, mountPath, readOnly }: ResolvedVolume): Permission {
  const may = readOnly ? 'read' : 'read, change and delete';
  const id = `volume:${realPath}:${readOnly ? 'ro' : 'rw'}`;
  if (/(^|\/)(docker|containerd|podman|crio|docker-raw)\.sock$/.test(realPath)) {
    return {
      id,
      message: `Use the socket ${realPath}, which controls Docker and therefore this entire computer.`,
    };
  }
  if (isWhole(realPath)) {
    return {
      id,
      message: `${capital(may)} everything below ${realPath} on this computer, as ${mountPath} in the container.`,
    };
  }
  return { id, message: `${capital(may)} ${realPath} on this computer, as ${mountPath} in the container.` };
}

async function folderPermissions({ copiedFolder }: PolicyInput): Promise<Permission[]> {
  if (copiedFolder === undefined || copiedFolder === null) return [];
  const path = await realpath(copiedFolder).catch(() => copiedFolder);
  return [
    {
      id: `folder:${path}`,
      message: `Read everything below ${path} on this computer: it is copied into the function's image.`,
    },
  ];
}

const isWhole = (path: string) =>
  /^(\/|\/(etc|home|root|var|run|var\/run|usr|proc|sys|dev|boot)|[A-Za-z]:[\\/]?)$/.test(path);

function securityPermissions({ security, env }: FunctionConfiguration): Permission[] {
  const list: Permission[] = [];
  const add = (isAsked: boolean, id: string, message: string) => {
    if (isAsked) list.push({ id, message });
  };
  add(
    security.privileged,
    'privileged',
    'Run without isolation from this computer (privileged), with all rights of an administrator.',
  );
  add(security.allowPrivilegeEscalation, 'new-privileges', 'Gain more privileges than it starts with.');
  add(security.runAsUser === 0, 'user:0', 'Run as root inside its container.');
  const groups = [security.runAsGroup ?? firstOwnGroup, ...security.extraGroups];
  for (const group of new Set(groups.filter((id) => id < firstOwnGroup))) {
    const whose = group === 0 ? 'root' : `${group} (a system group)`;
    add(true, `group:${group}`, `Be a member of the group ${whose}, with its rights to files and devices.`);
  }
  add(
    security.executableTemporary,
    'executable-tmp',
    'Run programs and libraries from /tmp in its container, including files that it writes itself.',
  );
  add(security.writableRootFilesystem, 'writable-root', 'Write anywhere inside its container.');
  for (const name of security.addedCapabilities) {
    add(true, `capability:${name}`, `Have the operating system capability ${name}.`);
  }
  for (const device of security.devices) add(true, `device:${device}`, `Use the device ${device} of this computer.`);
  add(
    security.network === 'host',
    'network:host',
    'Use the network of this computer directly: reach all its services, the local network and the internet.',
  );
  add(
    security.network !== '' && security.network !== 'host',
    `network:${security.network}`,
    `Join the network "${security.network}": reach everything on it, and the internet if that network provides access.`,
  );
  add(security.hostPid, 'pid:host', 'See and end the programs that run on this computer.');
  add(security.hostIpc, 'ipc:host', 'Share memory with the programs that run on this computer.');
  add(security.hostUserNamespace, 'userns:host', 'Have the same user ids inside its container as on this computer.');
  for (const option of security.securityOptions) {
    add(true, `security-option:${option}`, `Run with the security option "${option}", which weakens the isolation.`);
  }
  return [...list, ...variablePermissions(env.map(({ name }) => name))];
}

/** Permissions needed for variables with these names, wherever they are set. */
export function variablePermissions(names: readonly string[]): Permission[] {
  const meaning = (name: string) =>
    deviceVariables.test(name)
      ? `Choose its GPUs itself through the variable ${name}.`
      : `Load libraries into every program of its container through the variable ${name}, including tools that provide GPUs.`;
  return [...new Set(names)]
    .filter((name) => deviceVariables.test(name) || loaderVariables.test(name))
    .map((name) => ({ id: `variable:${name}`, message: meaning(name) }));
}

function portPermissions({ trigger }: FunctionConfiguration): Permission[] {
  const list: Permission[] = [];
  if (!loopback.has(trigger.address)) {
    list.push({
      id: `address:${trigger.address}`,
      message: `Be reachable at the address ${trigger.address}: other computers could call it without a password.`,
    });
  }
  if (trigger.port !== null && trigger.port < firstFreePort) {
    list.push({
      id: `port:${trigger.port}`,
      message: `Listen on port ${trigger.port} of this computer, which is in the range of system services.`,
    });
  }
  return list;
}

/** Lists all missing permissions, so that the user decides once. */
export class MissingGrants extends AppError {
  readonly permissions: readonly Permission[];

  constructor(name: string, permissions: readonly Permission[]) {
    const sentences = permissions.map((permission) => `${permission.message} [${permission.id}]`);
    super(
      'forbidden',
      `Not deployed: the configuration of "${name}" needs permissions that are off by default. It wants to: ${sentences.join(' ')} ` +
        'Grant exactly these if you trust it.',
      {
        detail: `Not deployed: the configuration of "${name}" needs permissions that are off by default.`,
        permissions: permissions.map(({ id, message: meaning }) => ({ id, message: meaning })),
      },
    );
    this.permissions = permissions;
  }
}

/** @throws MissingGrants */
export function requireGrants(name: string, permissions: readonly Permission[], grants: readonly string[]): void {
  const missing = permissions.filter(({ id }) => !grants.includes(id));
  if (missing.length > 0) throw new MissingGrants(name, missing);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
