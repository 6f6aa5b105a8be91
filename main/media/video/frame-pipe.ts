import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startTool, type ToolRun } from './ffmpeg.ts';

const pieceBytes = 256 * 1024;

export async function startIntoPipe(program: string, args: readonly string[], run: ToolRun) {
  if (process.platform === 'win32') {
    const tool = startTool(program, args, run, 'pipe');
    return { tool, fill: fillFrom(tool.output), close: () => undefined };
  }
  const { input, fill, close } = await openFramePipe();
  try {
    return { tool: startTool(program, args, run, input), fill, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    // The program has its own copy of this end; ours must be closed so that it sees the end.
    input.destroy();
  }
}

/** Fills buffers; false if the output ends before one is full. For systems that cannot pass sockets to programs. */
function fillFrom(stream: AsyncIterable<Buffer> | Iterable<Buffer>): (target: Buffer) => Promise<boolean> {
  const pieces = Readable.from(stream)[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async (target) => {
    for (let filled = 0; filled < target.length;) {
      if (rest.length === 0) {
        const { value, done } = await pieces.next();
        if (done === true) return false;
        rest = value as Buffer;
      }
      const count = rest.copy(target, filled);
      filled += count;
      rest = rest.subarray(count);
    }
    return true;
  };
}

/**
 * A pipe that reads all pieces into one buffer. Streams of child processes allocate memory for each piece of 64 KiB,
 * which costs as much as the rest of the processing of a 1080p frame.
 */
async function openFramePipe() {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let rest = piece.subarray(0, 0);
  let target: Buffer | null = null;
  let filled = 0;
  let isOver = false;
  let settle: (isFull: boolean) => void = () => {};

  /** True if more output is needed. */
  function take(): boolean {
    if (target === null) return false;
    const count = rest.copy(target, filled);
    rest = rest.subarray(count);
    filled += count;
    if (filled < target.length) return true;
    target = null;
    settle(true);
    return false;
  }

  const [output, input] = await connected((count) => {
    rest = piece.subarray(0, count);
    return take();
  }, piece);
  output.on('close', () => {
    isOver = true;
    settle(false);
  });
  const fill = (next: Buffer): Promise<boolean> =>
    new Promise((resolve) => {
      [target, filled, settle] = [next, 0, resolve];
      if (!take()) return;
      if (isOver) resolve(false);
      else output.resume();
    });
  return { input, fill, close: () => void output.destroy() };
}

/** Two connected ends of a private local socket. */
async function connected(onPiece: (count: number) => boolean, buffer: Buffer): Promise<readonly [Socket, Socket]> {
  const path = join(tmpdir(), `limner-${randomBytes(8).toString('hex')}`);
  const server = createServer({ pauseOnConnect: true });
  server.listen(path);
  await once(server, 'listening');
  try {
    const arrived = once(server, 'connection') as Promise<[Socket]>;
    const output = connect({ path, onread: { buffer, callback: onPiece } });
    // A program that was ended closes its end; the missing data is detected elsewhere.
    output.on('error', () => undefined);
    const [input] = await arrived;
    return [output, input];
  } finally {
    server.close();
  }
}
