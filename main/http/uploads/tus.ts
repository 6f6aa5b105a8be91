import { isAdmin } from '../../users/access/access-rules.ts';
import { AppError } from '../../platform/errors.ts';
import { emptyAnswer } from '../responses.ts';
import { contentType, unsupportedMediaType } from '../request-body.ts';
import { requestBytes } from '../request-bytes.ts';
import type { UploadStep } from './upload-resource.ts';
import { maxUploadBytes } from './upload-store.ts';
import type { Upload } from './upload-files.ts';

const tusHeaders = { 'Tus-Resumable': '1.0.0', 'Tus-Version': '1.0.0' };

/** Resumable uploads (TUS 1.0.0, creation only) in the variant of CVAT's clients. */
export async function create(step: UploadStep): Promise<Response> {
  const { request, store, scope, takesMany } = step;
  const { raw, actor, url } = request;
  const lengthText = raw.headers.get('Upload-Length') ?? '';
  if (!/^\d{1,15}$/.test(lengthText)) throw new AppError('invalid', 'Upload-Length must be a number of bytes.');
  const stated = metadata(raw.headers.get('Upload-Metadata') ?? '');
  const name = stated.get('filename');
  if (!name) throw new AppError('invalid', 'Upload-Metadata must have a filename.');
  const file = { name, path: stated.get('local_path') ?? '', lengthBytes: Number(lengthText) };
  // Admins only, as for `server_files`. Not for media: they are stored, and must not share bytes with the user's file.
  const mayAdopt = file.path !== '' && !takesMany && isAdmin(actor);
  const adopted = mayAdopt ? await store.adopt(scope, actor.userId, file) : null;
  const upload = adopted ?? (await store.create(scope, actor.userId, name, file.lengthBytes));
  const location = `${url.origin}${url.pathname.replace(/\/$/, '')}/${upload.id}`;
  return emptyAnswer(
    201,
    new Headers({
      ...uploadHeaders(step, upload),
      Location: location,
      'Tus-Max-Size': String(maxUploadBytes),
      'Tus-Extension': 'creation',
    }),
  );
}

export async function append(step: UploadStep, fileId: string): Promise<Response> {
  const { request, store, scope } = step;
  const { raw, actor } = request;
  if (contentType(raw.headers) !== 'application/offset+octet-stream') throw unsupportedMediaType(raw.headers);
  const offsetText = raw.headers.get('Upload-Offset') ?? '';
  if (!/^\d{1,15}$/.test(offsetText)) throw new AppError('invalid', 'Upload-Offset must be a number of bytes.');
  const upload = await store.find(scope, fileId, actor.userId);
  const declared = Number(raw.headers.get('Content-Length') ?? 0);
  if (Number(offsetText) === upload.offsetBytes && upload.offsetBytes + declared > upload.lengthBytes) {
    throw new AppError('too-large', 'The upload is longer than its declared length.');
  }
  const body = requestBytes(request);
  const offsetBytes = await store
    .append(scope, upload, Number(offsetText), body.pieces)
    .catch(async (error: unknown) => {
      await body.discard();
      throw error;
    });
  return emptyAnswer(204, new Headers(uploadHeaders(step, { ...upload, offsetBytes })));
}

export async function offset(step: UploadStep, fileId: string): Promise<Response> {
  const upload = await step.store.find(step.scope, fileId, step.request.actor.userId);
  return emptyAnswer(
    200,
    new Headers({
      ...uploadHeaders(step, upload),
      'Upload-Length': String(upload.lengthBytes),
      'Cache-Control': 'no-store',
    }),
  );
}

function uploadHeaders({ takesMany }: UploadStep, upload: Upload): Record<string, string> {
  const name = takesMany ? upload.name : upload.id;
  return {
    ...tusHeaders,
    'Upload-Offset': String(upload.offsetBytes),
    // Header values are ASCII only.
    'Upload-Filename': /^[\x20-\x7e]*$/.test(name) ? name : encodeURIComponent(name),
  };
}

/** `filename d29ybGQ=,is_private` */
function metadata(header: string): Map<string, string> {
  return new Map(
    header.split(',').map((pair) => {
      const [key = '', value = ''] = pair.trim().split(/\s+/, 2);
      return [key, Buffer.from(value, 'base64').toString('utf8')];
    }),
  );
}
