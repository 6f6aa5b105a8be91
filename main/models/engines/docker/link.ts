import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, openSync, closeSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import { openRelay, type Connected, type Relay } from './relay.ts';

/** Where a function finds its link in its container. */
export const linkPlace = '/opt/limner/link';
export const linkFile = 'socket';
/** Beside it: after how many seconds without a call the function ends where no Limner listens. Without it, it never does. */
const restFile = 'rest-after-seconds';
/** A function that dials more often than calls need it is not listened to. */
const maxSpares = 128;
/** A runtime dials again within a quarter of a second. */
const maxWaitMs = 2000;
const maxSockets = 64;
/** Linux gives the address of a socket 108 bytes, the last of them a zero. */
const maxPathBytes = 107;

export type Links = ReturnType<typeof createLinks>;

/**
 * How Limner and a function that has no network reach each other: Limner listens on a socket in a folder that the
 * function's container sees, read-only, and the function dials. Limner then sends its calls over what was dialled. So
 * the function needs no network, no port and no folder that it could write to.
 */
export type Link = ReturnType<typeof listen>['link'];

/** Links of one data directory. @param folder is made when it is needed first */
export function createLinks(folder: string) {
  const open = new Map<string, Link>();

  function remove(id: string): void {
    open.get(id)?.close();
    rmSync(join(folder, id), { recursive: true, force: true });
  }

  return {
    /** Listens: for a function that begins, or for one that has this link already. */
    async open(id = randomBytes(6).toString('hex')): Promise<Link> {
      const known = open.get(id);
      if (known) return known;
      // Nobody else of this computer comes through the folder around it; a function is somebody else, and sees its own.
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
    /** Removes what containers that are gone have left. */
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

function listen(id: string, folder: string, onClose: () => void) {
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
    /** On this computer, to be mounted at `linkPlace`. */
    folder,
    /** Sends HTTP requests over the link. */
    agent: agent as HttpAgent,
    /** Whether the function has dialled, and its end is open. */
    isAlive: dialled.isAlive,
    /** Answers a port of this computer through the link. @throws PortTaken */
    async publish(name: string, address: string, port: number) {
      if (relay?.address === address && relay.port === port) return;
      relay?.close();
      relay = null;
      relay = await openRelay({ name, address, port, connect: dialled.connect });
    },
    /** After how long without a call it ends by itself where no Limner listens; null: never. */
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
  // What a Limner that was killed left: the next one listens at the same place, and the function finds it again.
  rmSync(path, { force: true });
  if (Buffer.byteLength(path) <= maxPathBytes) {
    server.listen({ path, writableAll: true });
    return;
  }
  const handle = openSync(folder, 'r');
  server.listen({ path: `/proc/self/fd/${handle}/${linkFile}`, writableAll: true });
  server.once('close', () => closeSync(handle));
}

/** Connections that a function dialled and nobody uses yet, and those who wait for one. */
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
      // A function speaks when it is spoken to.
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

/** Keeps connections between calls: what a call costs is the model's time. */
class LinkAgent extends HttpAgent {
  readonly #connect: (done: Connected) => void;

  constructor(connect: (done: Connected) => void) {
    super({ keepAlive: true, maxSockets });
    this.#connect = connect;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    // Node's type wants a stream beside an error, too, which nobody reads.
    if (callback) this.#connect(callback as Connected);
    return undefined;
  }
}
