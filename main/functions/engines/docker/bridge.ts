import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import type { Engine } from './engine.ts';
import { statusOf } from './engine-problem.ts';
import { runtimePlace } from './handler-archive.ts';
import { LinkAgent, type Link, type Links } from './link.ts';
import { openRelay, type Connected, type Relay } from './relay.ts';
import { StreamSocket } from './stream-socket.ts';

/** Calls of a function at the same time. An sshd refuses more than 10 new connections at once (MaxStartups). */
const maxCalls = 8;

/**
 * Links to functions on another computer, where no folder can be shared. Each connection is a `docker exec` of a program
 * that joins its standard streams to the function's port inside the container. The container has no network.
 */
export function createBridges(engine: Pick<Engine, 'use'>): Links {
  const open = new Map<string, Link>();
  return {
    async open(id = randomBytes(6).toString('hex')) {
      const link = open.get(id) ?? createBridge(id, engine, () => open.delete(id));
      open.set(id, link);
      return link;
    },
    find: (id) => open.get(id),
    close: (id) => open.get(id)?.close(),
    remove: (id) => open.get(id)?.close(),
    keepOnly: () => undefined,
    closeAll(): void {
      for (const link of open.values()) link.close();
    },
  };
}

function createBridge(id: string, engine: Pick<Engine, 'use'>, onClose: () => void): Link {
  let containerId: string | null = null;
  let relay: Relay | null = null;
  const sockets = new Set<Duplex>();

  async function open(): Promise<[Error | null, Duplex?]> {
    try {
      const socket = await engine.use((docker) => dial(docker, containerId ?? ''));
      sockets.add(socket.on('close', () => sockets.delete(socket)));
      return [null, socket];
    } catch (error) {
      return [error instanceof Error ? error : new Error(String(error))];
    }
  }
  const connect = async (done: Connected): Promise<void> => done(...(await open()));
  const agent = new LinkAgent((done) => void connect(done), maxCalls);
  return {
    id,
    folder: null,
    agent,
    isAlive: () => containerId !== null,
    reach(container: string): void {
      containerId = container;
    },
    async publish(name, address, port) {
      if (relay?.address === address && relay.port === port) return;
      relay?.close();
      relay = null;
      relay = await openRelay({ name, address, port, connect: (done) => void connect(done) });
    },
    // A function cannot detect that this computer no longer calls it.
    restAfter: () => undefined,
    close() {
      relay?.close();
      relay = null;
      agent.destroy();
      for (const socket of sockets) socket.destroy();
      onClose();
    },
  };
}

async function dial(docker: Docker, containerId: string): Promise<StreamSocket> {
  const container = docker.getContainer(containerId);
  try {
    const { Config } = await container.inspect();
    const exec = await container.exec({
      Cmd: bridgeCommand(Config.Cmd ?? []),
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: false,
    });
    const stream = await exec.start({ hijack: true, stdin: true, Tty: false });
    const socket = new StreamSocket({ input: stream, output: stream, isFramed: true });
    socket.on('error', () => undefined);
    return socket;
  } catch (error) {
    if (![404, 409].includes(statusOf(error) ?? 0)) throw error;
    // Handled like a closed port: the state of the container is read, and it is started if necessary.
    throw Object.assign(new Error('The container is not running', { cause: error }), { code: 'ECONNREFUSED' });
  }
}

/** Runs the bridge with the interpreter of the runtime. */
function bridgeCommand([program = 'node', ...rest]: readonly string[]): string[] {
  const isPython = rest.some((part) => part.startsWith(`/${runtimePlace}/python/`));
  return [program, `/${runtimePlace}/${isPython ? 'python/bridge.py' : 'node/bridge.cjs'}`];
}
