import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { assetOperations } from '../../../preload/contract/operations/files.ts';
import type { Services } from '../../composition/services.ts';
import { invalidField } from '../../platform/errors.ts';
import { fileAnswer, fileContent } from '../file-answer.ts';
import { unsupportedMediaType } from '../request-body.ts';
import type { RequestContext } from '../request-context.ts';
import type { RawHandlersOf } from '../handler.ts';
import { multipartBoundary, readMultipart } from '../uploads/multipart.ts';
import { requestBytes } from '../request-bytes.ts';
import { writeBody } from '../uploads/write-body.ts';

/** Larger than the limit for images of guides, so that the guide can report the limit itself. */
const maxBytes = 11 * 1024 * 1024;

export function createAssetHandlers(
  { guides }: Pick<Services, 'guides'>,
  temporaryDirectory: string,
): RawHandlersOf<typeof assetOperations> {
  return {
    async createAsset({ actor, request }) {
      await mkdir(temporaryDirectory, { recursive: true, mode: 0o700 });
      const path = join(temporaryDirectory, `asset-${randomUUID()}.part`);
      try {
        const { guideId, name } = await readForm(request, path);
        return await guides.addAsset(actor, guideId, { path, name });
      } finally {
        await rm(path, { force: true });
      }
    },
    async getAsset({ actor, params: { uuid }, request }) {
      const { file, contentType } = guides.asset(actor, uuid.toLowerCase());
      const { content } = await fileContent(file);
      return fileAnswer(request.raw, {
        content,
        contentType,
        etag: uuid,
        // Images never change: a new one gets another name.
        cacheControl: 'private, max-age=86400',
        headers: { 'Content-Disposition': 'inline' },
      });
    },
  };
}

async function readForm(request: RequestContext, path: string): Promise<{ guideId: number; name: string }> {
  const { raw } = request;
  const boundary = multipartBoundary(raw.headers.get('Content-Type'));
  if (boundary === undefined) throw unsupportedMediaType(raw.headers);
  let guideId = '';
  let name: string | undefined;
  const bytes = requestBytes(request);
  try {
    for await (const part of readMultipart(bytes.pieces, boundary)) {
      if (part.filename !== undefined && part.name === 'file' && name === undefined) {
        name = part.filename.split(/[\\/]/).at(-1) ?? '';
        await writeBody(path, 0, maxBytes, part.body);
      } else if (part.name === 'guide_id' && part.filename === undefined) {
        for await (const piece of part.body) if (guideId.length < 20) guideId += piece.toString('utf8');
      }
    }
  } catch (error) {
    await bytes.discard();
    throw error;
  }
  if (name === undefined) throw invalidField('file', 'No file was submitted.');
  if (!/^\d{1,15}$/.test(guideId)) throw invalidField('guide_id', 'A valid integer is required.');
  return { guideId: Number(guideId), name };
}
