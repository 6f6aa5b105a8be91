import { readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../platform/log.ts';
import type { RequestRow } from './request-repository.ts';

/** Parameters that refer to uploaded files. */
const givenSchema = z.object({
  uploadDirectory: z.string().nullish(),
  file: z.object({ path: z.string() }).nullish(),
});

type Given = Pick<RequestRow, 'id' | 'parameters'>;

export type RequestUploads = ReturnType<typeof createRequestUploads>;

/** Uploaded files exist until their request ends, whatever its outcome is. */
export function createRequestUploads(dataDirectory: string, log: Logger) {
  const root = join(dataDirectory, 'data', 'uploads');

  function givenTo({ parameters }: Given): string[] {
    const { data } = givenSchema.safeParse(JSON.parse(parameters));
    const paths = [data?.uploadDirectory, data?.file?.path];
    return paths.filter((path) => typeof path === 'string').filter((path) => path.startsWith(root + sep));
  }

  return {
    /** Call after the end of the request is stored. */
    async remove(request: Given): Promise<void> {
      for (const path of givenTo(request)) {
        await rm(path, { recursive: true, force: true }).catch((error: unknown) =>
          log.warn('Uploaded files could not be deleted; the next start tries again', { request: request.id, error }),
        );
      }
    },
    /** Call at the start, before new requests are accepted. Deletes uploads without a request. */
    sweep(unfinished: readonly Given[]): void {
      const kept = new Set(unfinished.flatMap(givenTo));
      const claimed = join(root, 'claimed');
      const taken = [
        ...listFolder(claimed).map((name) => join(claimed, name)),
        ...listFolder(root).flatMap((name) => (name.startsWith('task-') ? [join(root, name)] : [])),
      ];
      for (const path of taken.filter((one) => !kept.has(one))) {
        log.info('Uploaded files without a request are deleted', { path });
        rmSync(path, { recursive: true, force: true });
      }
    },
  };
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
