/** Available in Node and in browsers, but the contract includes the types of neither. */
declare const btoa: (binary: string) => string;
declare const setTimeout: (done: () => void, delayMs: number) => unknown;

/**
 * The service accepts chunks of any size, and bytes of an interrupted chunk count. Each chunk ends with a wait for the
 * disk, so few large ones are faster.
 */
const pieceBytes = 64 * 1024 * 1024;
const attempts = 5;
const version = { 'Tus-Resumable': '1.0.0' };

export interface UploadRequest<Piece> {
  readonly method: 'POST' | 'PATCH' | 'HEAD';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Piece | null;
  /** Reports the number of sent bytes of the body, if the transport knows it. */
  readonly onSent?: (bytes: number) => void;
}

export interface ResumableUpload<Piece> {
  /** Path of the resource's upload collection, with a trailing slash. */
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Path of a file on this computer. A service that can read it there does not need its bytes. */
  readonly localPath?: string | undefined;
  /** Returns the bytes from `start` to `end` (exclusive). */
  readonly piece: (start: number, end: number) => Piece | Promise<Piece>;
  /** Throws without an answer and for an error status. */
  readonly send: (request: UploadRequest<Piece>) => Promise<{ header(name: string): string | null }>;
  /** True if the upload still exists after this error and its offset can be queried. */
  readonly isLost: (error: unknown) => boolean;
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** UTF-8 text as base64, for the TUS metadata header. */
const base64 = (text: string): string =>
  btoa(encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));

/** Path of a relative or absolute URL. */
const pathOf = (address: string): string => address.replace(/^[a-z]+:\/\/[^/]*/i, '');

/**
 * Uploads one large file in chunks. After an interruption continues at the service's offset. Returns the name under
 * which the service stores the file.
 */
export async function uploadResumable<Piece>(upload: ResumableUpload<Piece>): Promise<string> {
  const { path, name, sizeBytes, send, onSent } = upload;
  const local = upload.localPath ? `,local_path ${base64(upload.localPath)}` : '';
  const metadata = { 'Upload-Length': String(sizeBytes), 'Upload-Metadata': `filename ${base64(name)}${local}` };
  const created = await send({ method: 'POST', path, headers: { ...version, ...metadata }, body: null });
  const location = created.header('Location');
  if (location === null) throw new Error('Cannot upload: the service returned no URL for the upload.');
  const target = pathOf(location);
  let failures = 0;
  const begun = Number(created.header('Upload-Offset') ?? 0);
  if (begun > 0) onSent?.(begun);
  for (let offset = begun; offset < sizeBytes;) {
    const start = offset;
    const end = Math.min(start + pieceBytes, sizeBytes);
    const body = await upload.piece(start, end);
    try {
      const answer = await send({
        method: 'PATCH',
        path: target,
        headers: { ...version, 'Upload-Offset': String(start), 'Content-Type': 'application/offset+octet-stream' },
        body,
        onSent: (bytes) => onSent?.(start + bytes),
      });
      offset = Number(answer.header('Upload-Offset') ?? end);
      failures = 0;
      onSent?.(offset);
    } catch (error) {
      failures += 1;
      if (!upload.isLost(error) || failures > attempts) throw error;
      await new Promise<void>((resolve) => setTimeout(resolve, 500 * failures));
      const found = await send({ method: 'HEAD', path: target, headers: version, body: null });
      offset = Number(found.header('Upload-Offset') ?? 0);
    }
  }
  return created.header('Upload-Filename') ?? name;
}
