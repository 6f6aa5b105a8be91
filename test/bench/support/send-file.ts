import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { uploadResumable } from '../../../preload/contract/resumable-upload.ts';
import type { ImportUpload, TestClient } from '../../support/client.ts';

export async function sendFile(
  client: TestClient,
  baseUrl: string,
  { taskId, format, file }: { readonly taskId: number; readonly format: string; readonly file: string },
): Promise<ImportUpload> {
  const resource = `/api/tasks/${taskId}/annotations/`;
  const name = basename(file);
  const query = new URLSearchParams({ format, filename: name });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { size } = await stat(file);
  const send = async (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    piece: { readonly start: number; readonly end: number } | null,
  ): Promise<IncomingMessage> => {
    const length = piece === null ? 0 : piece.end - piece.start;
    const outgoing = request(new URL(path, baseUrl), {
      method,
      agent,
      headers: { Authorization: client.authorization ?? '', 'Content-Length': String(length), ...headers },
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject);
    });
    if (piece === null) outgoing.end();
    else
      await pipeline(
        createReadStream(file, { start: piece.start, end: piece.end - 1, highWaterMark: 2 ** 20 }),
        outgoing,
      );
    const answer = await answered;
    answer.resume();
    if ((answer.statusCode ?? 0) > 299) throw new Error(`The upload was answered with ${answer.statusCode}.`);
    return answer;
  };
  try {
    await send('POST', `${resource}?${query}`, { 'Upload-Start': '' }, null);
    const filename = await uploadResumable<{ readonly start: number; readonly end: number }>({
      path: resource,
      name,
      sizeBytes: size,
      piece: (start, end) => ({ start, end }),
      send: async ({ method, path, headers, body }) => {
        const answer = await send(method, path, headers, body);
        return { header: (key) => answer.headers[key.toLowerCase()]?.toString() ?? null };
      },
      isLost: () => false,
    });
    return { resource, format, filename };
  } finally {
    agent.destroy();
  }
}
