import type Docker from 'dockerode';

const frameHeaderBytes = 8;

/** Decodes Docker's log stream: frames of stdout and stderr with a length prefix. */
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

export async function readContainerLog(container: Docker.Container, tail: number): Promise<string> {
  const buffer = await container.logs({ follow: false, stdout: true, stderr: true, tail });
  let text = '';
  for await (const piece of demultiplex([buffer])) text += piece;
  return text;
}

/** Yields the last lines, then new lines until the container ends or the signal aborts. */
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

/** Message of a runtime's log line, for screens that show one sentence; other lines are unchanged. */
export function lineMessage(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const message: unknown = Reflect.get(Object(JSON.parse(line)), 'message');
    return typeof message === 'string' ? message : line;
  } catch {
    return line;
  }
}
