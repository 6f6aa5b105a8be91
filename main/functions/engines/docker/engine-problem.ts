import { AppError } from '../../../platform/errors.ts';

/** Reason why Docker cannot be used. The screens offer a different remedy for each. */
export type EngineProblemKind = 'missing' | 'permission' | 'stopped' | 'remote' | 'failed';

/** The Docker Engine cannot be reached. Everything except functions in containers works without it. */
export class EngineUnavailable extends AppError {
  readonly kind: EngineProblemKind;

  constructor(kind: EngineProblemKind, message: string, cause?: unknown) {
    super('unavailable', message, undefined, { cause });
    this.name = 'EngineUnavailable';
    this.kind = kind;
  }
}

export interface EngineSource {
  readonly name: string;
  readonly remedy: string;
  /** Replaces the advice on how to install Docker. */
  readonly start?: string;
}

const installText: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux:
    'Install Docker Engine (on Debian and Ubuntu: sudo apt install docker.io) and start it: sudo systemctl start docker.',
  darwin: 'Install and start Docker Desktop.',
  win32: 'Install and start Docker Desktop with its WSL 2 engine.',
};

export function missingEngine({
  places,
  source,
  platform,
  cause,
}: {
  readonly places: readonly string[];
  readonly source: EngineSource | null;
  readonly platform: NodeJS.Platform;
  readonly cause: unknown;
}): EngineUnavailable {
  const where = places.length > 1 ? `${places.slice(0, -1).join(', ')} or ${places.at(-1)}` : (places[0] ?? '');
  const install = installText[platform] ?? 'Install Docker Engine and start it.';
  const how = source === null ? install : `${source.name} sets this address. ${source.start ?? install}`;
  return new EngineUnavailable('missing', `There is no Docker Engine at ${where}. ${how}`, cause);
}

export const stoppedEngine = (socket: string, platform: NodeJS.Platform, cause: unknown): EngineUnavailable =>
  new EngineUnavailable(
    'stopped',
    `The Docker Engine at ${socket} does not respond: it is stopped, starting or stopping. ` +
      (platform === 'linux' ? 'Start it: sudo systemctl start docker.' : 'Start Docker Desktop.'),
    cause,
  );

/** Translates a connection error into a message with a remedy. */
export function engineProblem(error: unknown, socket: string, platform = process.platform): EngineUnavailable {
  if (error instanceof EngineUnavailable) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return missingEngine({ places: [socket], source: null, platform, cause: error });
    case 'EACCES':
    case 'EPERM':
      return new EngineUnavailable('permission', `${permissionText(socket, platform)}`, error);
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EPIPE':
      return stoppedEngine(socket, platform, error);
    default:
      return new EngineUnavailable('failed', `Cannot use the Docker Engine at ${socket}: ${daemonText(error)}`, error);
  }
}

const permissionText = (socket: string, platform: NodeJS.Platform): string =>
  platform === 'linux'
    ? `This user may not use the Docker Engine at ${socket}. Join its group (sudo usermod -aG docker "$USER"), then sign ` +
      'out and in again. Members of that group have full control over this computer.'
    : `This user may not use the Docker Engine at ${socket}. Change that in the settings of Docker Desktop.`;

const brokenConnection: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN']);

/** True for connection errors; false for answers of the engine and for file errors. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof AppError || statusOf(error) !== undefined) return false;
  const { code, syscall } = Object(error) as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && (brokenConnection.has(code) || syscall === 'connect');
}

export function statusOf(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}

/** Returns null if the engine answers with one of these statuses, for example because the object is already gone. */
export async function unlessAnswered<Result>(
  statuses: readonly number[],
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (statuses.includes(statusOf(error) ?? 0)) return null;
    throw error;
  }
}

/** Docker's own message; dockerode wraps it. */
export function daemonText(error: unknown): string {
  const json = (error as { json?: unknown } | null)?.json;
  const message: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'message') : undefined;
  if (typeof message === 'string' && message !== '') return message;
  return error instanceof Error ? error.message : String(error);
}
