import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { detectOperations } from '../../../preload/contract/operations/files.ts';
import type { FormatCatalog } from '../../formats/format-catalog.ts';
import { invalidField } from '../../platform/errors.ts';
import { unsupportedMediaType } from '../request-body.ts';
import type { RawHandlersOf } from '../handler.ts';
import type { UploadStore } from '../uploads/upload-store.ts';
import { multipartBoundary, readMultipart } from '../uploads/multipart.ts';

/** The content is not stored. */
export function createDetectHandlers(
  formats: Pick<FormatCatalog, 'detect'>,
  uploads: UploadStore,
  temporaryDirectory: string,
): RawHandlersOf<typeof detectOperations> {
  // Content that cannot be opened has no candidates; the import reports its problem.
  const candidatesOf = async (file: { readonly path: string; readonly name: string }) => ({
    candidates: await formats.detect(file),
  });
  return {
    async detectFormats({ actor, query, request: { raw } }) {
      if (query.upload !== undefined) {
        const { scope, id } = uploadAt(query.upload);
        return uploads.look(scope, await uploads.find(scope, id, actor.userId), candidatesOf);
      }
      const boundary = multipartBoundary(raw.headers.get('Content-Type'));
      if (boundary === undefined || raw.body === null) throw unsupportedMediaType(raw.headers);
      await mkdir(temporaryDirectory, { recursive: true, mode: 0o700 });
      const path = join(temporaryDirectory, `detect-${randomUUID()}.part`);
      try {
        const name = await saveFile(raw.body, boundary, path);
        return await candidatesOf({ path, name });
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}

/** `/api/tasks/12/annotations/1_…` */
function uploadAt(address: string): { readonly scope: string; readonly id: string } {
  const [, scope, id] =
    /^\/api\/((?:tasks|jobs)\/\d{1,15}\/annotations|projects\/\d{1,15}\/dataset)\/([\w-]+)$/.exec(address) ?? [];
  if (scope === undefined || id === undefined) throw invalidField('upload', 'This is not the URL of an upload.');
  return { scope: scope.replaceAll('/', '-'), id };
}

async function saveFile(body: AsyncIterable<Uint8Array>, boundary: string, path: string): Promise<string> {
  for await (const part of readMultipart(body, boundary)) {
    if (part.filename === undefined) continue;
    // Deleted before the answer, so it need not reach the disk.
    const file = await open(path, 'w', 0o600);
    try {
      for await (const bytes of part.body) await file.write(bytes);
    } finally {
      await file.close();
    }
    return part.filename;
  }
  throw invalidField('file', 'No file was submitted.');
}
