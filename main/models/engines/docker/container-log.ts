import type Docker from 'dockerode';

const frameHeaderBytes = 8;

/** What the Engine sends of a log: frames of standard output and error, each with its length in front. */
export async function* demultiplex(stream: AsyncIterable<Buffer | string> | Iterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of stream) {
    rest = Buffer.concat([rest, Buffer.from(piece)]);
    let text = '';
    while (rest.length >= frameHeaderBytes) {
      const end = frameHeaderBytes + rest.readUInt32BE(4);
      if (rest.length < end) break;
      text += rest.toString('utf8', frameHeaderBytes, end);
      rest = rest.subarray(end);
    }
    if (text !== '') yield text;
  }
}

/** The last lines that a container wrote. */
export async function readContainerLog(container: Docker.Container, tail: number): Promise<string> {
  const buffer = await container.logs({ follow: false, stdout: true, stderr: true, tail });
  let text = '';
  for await (const piece of demultiplex([buffer])) text += piece;
  return text;
}

/** The last lines, and every line that comes, until the container ends or the signal aborts. */
export async function* followContainerLog(
  container: Docker.Container,
  tail: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const stream = await container.logs({ follow: true, stdout: true, stderr: true, tail, abortSignal: signal });
  try {
    for await (const piece of demultiplex(stream as AsyncIterable<Buffer>)) yield piece;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The message of a line that a runtime wrote, for places that show one sentence; other lines as they are. */
export function lineMessage(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const message: unknown = Reflect.get(Object(JSON.parse(line)), 'message');
    return typeof message === 'string' ? message : line;
  } catch {
    return line;
  }
}
