import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SentImages } from '../../../preload/contract/schema/resources.ts';
import { createDurableFiles } from '../../platform/durable-files.ts';
import { invalidField } from '../../platform/errors.ts';
import { unsupportedMediaType } from '../request-body.ts';
import { requestBytes } from '../request-bytes.ts';
import type { RequestContext } from '../request-context.ts';
import { multipartBoundary, readMultipart } from './multipart.ts';
import { createParallelWrites, takeSmall } from './small-files.ts';
import { maxUploadBytes } from './upload-store.ts';
import { writeBody } from './write-body.ts';

interface ImageReceiver {
  /** Folder for files that no frame has yet; emptied at the start of the service. */
  readonly directory: string;
  readonly takes: (frame: number) => boolean;
  readonly take: (files: readonly { readonly frame: number; readonly path: string }[]) => Promise<SentImages>;
}

/**
 * Receives the images of a form. An interrupted form stores none of them, and is sent again. An image that its frame
 * already has is skipped.
 */
export async function receiveImages(
  request: RequestContext,
  { directory, takes, take }: ImageReceiver,
): Promise<SentImages> {
  const { headers } = request.raw;
  const boundary = multipartBoundary(headers.get('Content-Type'));
  if (boundary === undefined) throw unsupportedMediaType(headers);
  const bytes = requestBytes(request);
  const disk = createDurableFiles();
  const writes = createParallelWrites();
  const files: { frame: number; path: string }[] = [];
  try {
    await disk.makeFolder(directory);
    for await (const { name, filename, body } of readMultipart(bytes.pieces, boundary)) {
      const number = /^images\[(\d{1,7})\]$/.exec(name)?.[1];
      if (number === undefined || filename === undefined)
        throw invalidField(name, 'Unexpected field. Name each image images[N], where N is the number of its frame.');
      const frame = Number(number);
      if (!takes(frame) || files.some((file) => file.frame === frame)) continue;
      const path = join(directory, `${randomUUID()}.part`);
      files.push({ frame, path });
      const small = await takeSmall(body);
      if (small.rest === undefined) await writes.start(() => disk.writeSynced(path, small.bytes));
      else {
        await writeBody(path, 0, maxUploadBytes, small.rest);
        disk.written(path);
      }
    }
    await writes.end();
    await disk.sync();
    return await take(files);
  } catch (error) {
    await bytes.discard();
    throw error;
  } finally {
    await writes.end().catch(() => undefined);
    // Files that were taken have been moved.
    await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  }
}
