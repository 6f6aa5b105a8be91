/** Both Node and the page have them; the contract is compiled for neither. */
declare const btoa: (binary: string) => string;
declare const setTimeout: (done: () => void, delayMs: number) => unknown;

/**
 * The service takes pieces of any size, and what arrived of one that broke off counts. Between two pieces everything
 * waits for the disk: few of them are quick.
 */
const pieceBytes = 64 * 1024 * 1024;
const attempts = 5;
const version = { 'Tus-Resumable': '1.0.0' };

export interface UploadRequest<Piece> {
  readonly method: 'POST' | 'PATCH' | 'HEAD';
  /** Path below the address of the service. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Piece | null;
  /** Bytes of the body that have left so far, from who can tell. */
  readonly onSent?: (bytes: number) => void;
}

export interface ResumableUpload<Piece> {
  /** Of the resource's upload collection, with a trailing slash. */
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Of a file on this computer: a service that can read it there takes it without its bytes being sent. */
  readonly localPath?: string | undefined;
  /** The bytes from `start` up to `end`. */
  readonly piece: (start: number, end: number) => Piece | Promise<Piece>;
  /** Throws for no answer and for a bad one. */
  readonly send: (request: UploadRequest<Piece>) => Promise<{ header(name: string): string | null }>;
  /** Whether what was thrown leaves the upload there, to be asked how far it has come. */
  readonly isLost: (error: unknown) => boolean;
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** UTF-8 text as base64, as the TUS metadata header wants it. */
const base64 = (text: string): string =>
  btoa(encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));

/** The path of an address that the service answered, whole or not. */
const pathOf = (address: string): string => address.replace(/^[a-z]+:\/\/[^/]*/i, '');

/**
 * Uploads one large file piece by piece; a piece that was lost on the way is sent again from where the service stands.
 * Answers the name under which the service keeps the file.
 */
export async function uploadResumable<Piece>(upload: ResumableUpload<Piece>): Promise<string> {
  const { path, name, sizeBytes, send, onSent } = upload;
  const local = upload.localPath ? `,local_path ${base64(upload.localPath)}` : '';
  const metadata = { 'Upload-Length': String(sizeBytes), 'Upload-Metadata': `filename ${base64(name)}${local}` };
  const created = await send({ method: 'POST', path, headers: { ...version, ...metadata }, body: null });
  const location = created.header('Location');
  if (location === null) throw new Error('The service gave no address for the upload.');
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
