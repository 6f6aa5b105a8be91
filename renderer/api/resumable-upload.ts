import { ApiError } from './api-error.ts';
import { send, upload } from './transport.ts';

/** The service's dialect of TUS takes pieces of any size; this one keeps progress lively and a retry cheap. */
const pieceBytes = 8 * 1024 * 1024;
const attempts = 5;

/** UTF-8 text as base64, as the TUS metadata header wants it. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

export interface ResumableUpload {
  /** Address of the resource's upload collection, with a trailing slash. */
  readonly path: string;
  readonly file: Blob;
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
  readonly onSent?: (bytes: number) => void;
}

const offsetOf = async (location: string, signal: AbortSignal | undefined): Promise<number> => {
  const answer = await send(location, {
    method: 'HEAD',
    headers: { 'Tus-Resumable': '1.0.0' },
    ...(signal === undefined ? {} : { signal }),
  });
  return Number(answer.headers.get('Upload-Offset') ?? 0);
};

/** Uploads one large file piece by piece; a piece that was lost on the way is sent again from where the service stands.
 *  Answers the name under which the service keeps the file. */
export async function uploadResumable({ path, file, name, signal, onSent }: ResumableUpload): Promise<string> {
  const created = await upload({
    method: 'POST',
    path,
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': String(file.size),
      'Upload-Metadata': `filename ${base64(name)}`,
    },
    body: null,
    signal,
  });
  const address = new URL(created.header('Location') ?? path, new URL(path, window.location.href));
  const location = address.pathname + address.search;
  const kept = created.header('Upload-Filename') ?? name;
  let offset = 0;
  let failures = 0;
  while (offset < file.size) {
    const piece = file.slice(offset, offset + pieceBytes);
    try {
      const start = offset;
      const answer = await upload({
        method: 'PATCH',
        path: location,
        headers: {
          'Tus-Resumable': '1.0.0',
          'Upload-Offset': String(offset),
          'Content-Type': 'application/offset+octet-stream',
        },
        body: piece,
        signal,
        onSent: (bytes) => onSent?.(start + bytes),
      });
      offset = Number(answer.header('Upload-Offset') ?? offset + piece.size);
      failures = 0;
    } catch (error) {
      const lost = error instanceof ApiError && (error.kind === 'unreachable' || error.kind === 'conflict');
      failures += 1;
      if (!lost || failures > attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * failures));
      offset = await offsetOf(location, signal);
    }
  }
  return kept;
}
