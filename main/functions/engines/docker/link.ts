import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, openSync, closeSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import { openRelay, type Connected, type Relay } from './relay.ts';

/** Path of the link inside the function's container. */
export const linkPlace = '/opt/limner/link';
export const linkFile = 'socket';
/**
 * File next to the socket with the seconds without a call after which the function exits while Limner is not running.
 * Without the file it never exits.
 */
const restFile = 'rest-after-seconds';
/** Limits unused connections, so that a faulty function cannot open any number of them. */
const maxSpares = 128;
/** Runtimes reconnect within 250 ms. */
const maxWaitMs = 2000;
const maxSockets = 64;
/** On Linux a socket path has at most 108 bytes, including the final zero. */
const maxPathBytes = 107;

/** Links of one data directory on one Engine. */
export interface Links {
  /** Opens a link for a new function, or again for one that has this link. */
  open(id?: string): Promise<Link>;
  find(id: string): Link | undefined;
  close(id: string): void;
  /** Closes a link and deletes what it stored. */
  remove(id: string): void;
  keepOnly(ids: ReadonlySet<string>): void;
  closeAll(): void;
}

/**
 * Connection between Limner and a function without a network. Limner listens on a socket in a folder that the container
 * mounts read-only. The function connects, and Limner sends its calls over that connection. The function needs no
 * network, port or writable folder. On another computer, `docker exec` replaces the folder.
 */
export interface Link {
  readonly id: string;
  /** Path on this computer, to be mounted at `linkPlace`; null on another computer. */
  readonly folder: string | null;
  readonly agent: HttpAgent;
  /** True if the function can be asked. */
  isAlive(): boolean;
  /** Sets the container that the link leads to. */
  reach(containerId: string): void;
  /** Forwards a port of this computer to the link. @throws PortTaken */
  publish(name: string, address: string, port: number): Promise<void>;
  /** Sets the idle time after which the function exits while Limner is not running; null for never. */
  restAfter(seconds: number | null): void;
  close(): void;
}

/** @param folder created on first use */
export function createLinks(folder: string): Links {
  const open = new Map<string, Link>();

  function remove(id: string): void {
    open.get(id)?.close();
    rmSync(join(folder, id), { recursive: true, force: true });
  }

  return {
    async open(id = randomBytes(6).toString('hex')): Promise<Link> {
      const known = open.get(id);
      if (known) return known;
      // Other users of this computer cannot enter the parent folder. A function runs as another user and sees only its
      // own folder.
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const { link, listening } = listen(id, join(folder, id), () => open.delete(id));
      open.set(id, link);
      await listening.catch((error: unknown) => {
        link.close();
        throw error;
      });
      return link;
    },
    find: (id: string): Link | undefined => open.get(id),
    close: (id: string): void => open.get(id)?.close(),
    remove,
    keepOnly(ids: ReadonlySet<string>): void {
      const found = readIfThere(folder);
      for (const id of found) if (!ids.has(id) && !open.has(id)) remove(id);
    },
    closeAll(): void {
      for (const link of open.values()) link.close();
    },
  };
}

function readIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function listen(id: string, folder: string, onClose: () => void): { link: Link; listening: Promise<unknown> } {
  const dialled = createDialled();
  const server = createServer(dialled.take);
  server.unref();
  const listening = once(server, 'listening');
  bindSocket(server, folder);
  const agent = new LinkAgent(dialled.connect);
  let relay: Relay | null = null;
  let told: number | null | undefined;
  const link = {
    id,
    folder,
    agent: agent as HttpAgent,
    /** True if the function has connected and its socket is open. */
    isAlive: dialled.isAlive,
    // The container has the folder.
    reach: () => undefined,
    async publish(name: string, address: string, port: number) {
      if (relay?.address === address && relay.port === port) return;
      relay?.close();
      relay = null;
      relay = await openRelay({ name, address, port, connect: dialled.connect });
    },
    restAfter(seconds: number | null) {
      if (seconds === told) return;
      writeRestFile(folder, seconds);
      told = seconds;
    },
    close() {
      relay?.close();
      relay = null;
      server.close();
      agent.destroy();
      dialled.close();
      onClose();
    },
  };
  return { link, listening };
}

function writeRestFile(folder: string, seconds: number | null): void {
  const path = join(folder, restFile);
  if (seconds === null) rmSync(path, { force: true });
  else {
    writeFileSync(path, String(seconds));
    chmodSync(path, 0o644);
  }
}

function bindSocket(server: Server, folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const path = join(folder, linkFile);
  // Removes the socket of a killed process, because the function reconnects to the same path.
  rmSync(path, { force: true });
  if (Buffer.byteLength(path) <= maxPathBytes) {
    server.listen({ path, writableAll: true });
    return;
  }
  const handle = openSync(folder, 'r');
  server.listen({ path: `/proc/self/fd/${handle}/${linkFile}`, writableAll: true });
  server.once('close', () => closeSync(handle));
}

/** Idle connections of a function and the calls that wait for one. */
function createDialled() {
  const spares: Socket[] = [];
  let open = 0;
  const waiting: Connected[] = [];
  const forget = (socket: Socket) => {
    const index = spares.indexOf(socket);
    if (index >= 0) spares.splice(index, 1);
  };

  function take(socket: Socket): void {
    open += 1;
    socket.on('error', () => undefined);
    socket.on('close', () => (open -= 1));
    const next = waiting.shift();
    if (next) next(null, socket);
    else if (spares.length >= maxSpares) socket.destroy();
    else {
      spares.push(socket);
      socket.unref();
      // A function must not send data before a request.
      socket.once('data', destroy);
      socket.once('close', closed);
    }
  }
  function destroy(this: Socket): void {
    this.destroy();
  }
  function closed(this: Socket): void {
    forget(this);
  }

  return {
    take,
    isAlive: () => open > 0,
    connect(done: Connected): void {
      const spare = spares.shift();
      if (spare) {
        spare.off('data', destroy);
        spare.off('close', closed);
        spare.ref();
        done(null, spare);
        return;
      }
      const entry: Connected = (error, socket) => {
        clearTimeout(timer);
        done(error, socket);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        done(notAnswering());
      }, maxWaitMs);
      waiting.push(entry);
    },
    close(): void {
      for (const socket of spares.splice(0)) socket.destroy();
      for (const give of waiting.splice(0)) give(notAnswering());
    },
  };
}

const notAnswering = () =>
  Object.assign(new Error('The function does not answer over its link'), { code: 'ECONNREFUSED' });

/** Keeps connections between calls to save connection time. */
export class LinkAgent extends HttpAgent {
  readonly #connect: (done: Connected) => void;

  constructor(connect: (done: Connected) => void, most = maxSockets) {
    super({ keepAlive: true, maxSockets: most });
    this.#connect = connect;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    // Node's type requires a stream together with an error, although callers ignore it.
    if (callback) this.#connect(callback as Connected);
    return undefined;
  }
}
