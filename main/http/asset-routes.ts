import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assetSchema } from '../../preload/contract/schema/review.ts';
import type { Services } from '../composition/services.ts';
import { invalidField, notFound } from '../platform/errors.ts';
import { jsonAnswer } from './responses.ts';
import { fileAnswer, fileContent } from './file-answer.ts';
import { unsupportedMediaType } from './request-body.ts';
import type { RequestContext } from './request-context.ts';
import type { PlainRoute } from './route.ts';
import { multipartBoundary, readMultipart } from './uploads/multipart.ts';
import { requestBytes } from './request-bytes.ts';
import { writeBody } from './uploads/write-body.ts';

/** Larger than the limit for images of guides, so that the guide can report the limit itself. */
const maxBytes = 11 * 1024 * 1024;

/** Images of guides. `DELETE` is in the table of operations. */
export function assetRoutes({ guides }: Pick<Services, 'guides'>, uploadDirectory: string): PlainRoute[] {
  return [
    {
      method: 'POST',
      path: '/api/assets',
      summary: 'Add an image to a guide (form fields guide_id and file)',
      statuses: [201],
      outputs: { 201: assetSchema },
      fileField: 'file',
      async answer(request) {
        const folder = join(uploadDirectory, 'claimed');
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const path = join(folder, `asset-${randomUUID()}.part`);
        try {
          const { guideId, name } = await readForm(request, path);
          return jsonAnswer(await guides.addAsset(request.actor, guideId, { path, name }), 201);
        } finally {
          await rm(path, { force: true });
        }
      },
    },
    {
      method: 'GET',
      path: '/api/assets/{uuid}',
      summary: 'Image of a guide',
      statuses: [200, 206],
      async answer({ raw, actor }, { uuid = '' }) {
        if (!/^[0-9a-f-]{36}$/i.test(uuid)) throw notFound();
        const { file, contentType } = guides.asset(actor, uuid.toLowerCase());
        const { content } = await fileContent(file);
        // Images never change: a new one gets another name.
        const headers = { 'Content-Disposition': 'inline' };
        return fileAnswer(raw, { content, contentType, etag: uuid, cacheControl: 'private, max-age=86400', headers });
      },
    },
  ];
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
