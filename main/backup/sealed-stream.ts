import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import { AppError } from '../platform/errors.ts';

/** Start of an encrypted backup. The number is the version of the format below. */
export const sealedMagic = Buffer.from('LIMNER-SEALED-1\n', 'latin1');

/** Start of an encrypted object file; as long as `sealedMagic`. */
const objectMagic = Buffer.from('LIMNER-OBJECT-1\n', 'latin1');

const saltBytes = 16;
const prefixBytes = 7;
const headerBytes = sealedMagic.length + saltBytes + prefixBytes;
const pieceBytes = 64 * 1024;
const tagBytes = 16;
/** Constants instead of values from the file, so that a crafted backup cannot cost hours or gigabytes. */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);
const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  derive(passphrase.normalize('NFC'), salt, 32, cost);

/**
 * The nonce contains the index of the piece and a flag for the last one, so that reordered, missing or truncated pieces
 * cannot be decrypted (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár).
 */
function nonceOf(prefix: Buffer, index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  prefix.copy(nonce);
  nonce.writeUInt32BE(index, prefixBytes);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** AES-256-GCM in pieces of 64 KiB, with a key that scrypt derives from the passphrase. */
export async function createSealing(passphrase: string): Promise<Transform> {
  const salt = randomBytes(saltBytes);
  return sealing(sealedMagic, salt, await keyOf(passphrase, salt));
}

function sealing(magic: Buffer, salt: Buffer, key: Buffer): Transform {
  const prefix = randomBytes(prefixBytes);
  const header = Buffer.concat([magic, salt, prefix]);
  const seal = (piece: Buffer, index: number, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(prefix, index, isLast)).setAAD(header);
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  };
  const stream = inPieces(pieceBytes, seal);
  stream.push(header);
  return stream;
}

/** @throws AppError `forbidden` from the stream, for a wrong passphrase or damaged data */
export async function createOpening(passphrase: string, header: Buffer): Promise<Transform> {
  return opening(header, await keyOf(passphrase, saltIn(header)));
}

const saltIn = (header: Buffer): Buffer => header.subarray(sealedMagic.length, sealedMagic.length + saltBytes);

function opening(header: Buffer, key: Buffer): Transform {
  const prefix = header.subarray(sealedMagic.length + saltBytes, headerBytes);
  return inPieces(pieceBytes + tagBytes, (piece, index, isLast) => {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(prefix, index, isLast)).setAAD(header);
      decipher.setAuthTag(piece.subarray(Math.max(0, piece.length - tagBytes)));
      return Buffer.concat([decipher.update(piece.subarray(0, -tagBytes)), decipher.final()]);
    } catch (cause) {
      throw index === 0 ? wrongPassphrase(cause) : damaged(cause);
    }
  });
}

export const sealedHeaderBytes = headerBytes;

/** Key of an objects folder, derived once from the passphrase because scrypt is slow. */
export type ObjectsKey = Buffer;

export const objectsKey = (passphrase: string, salt: Buffer): Promise<ObjectsKey> => keyOf(passphrase, salt);

/** Each object has its own key. */
const keyOfObject = (key: ObjectsKey, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, 'limner object', 32));

export function createObjectSealing(key: ObjectsKey): Transform {
  const salt = randomBytes(saltBytes);
  return sealing(objectMagic, salt, keyOfObject(key, salt));
}

/** @throws AppError from the stream, for damaged data */
export const createObjectOpening = (key: ObjectsKey, header: Buffer): Transform =>
  opening(header, keyOfObject(key, saltIn(header)));

/** File name that reveals nothing about the object. */
export const sealedName = (key: ObjectsKey, text: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'limner names', 32)))
    .update(text)
    .digest('hex');

const wrongPassphrase = (cause: unknown) =>
  new AppError(
    'forbidden',
    'The passphrase is wrong, or the start of the backup is damaged. Nothing was changed.',
    undefined,
    { cause },
  );
const damaged = (cause: unknown) =>
  new AppError('invalid', 'The backup is damaged or truncated. Nothing was changed.', undefined, { cause });

/** Processes pieces of equal size. The last one may be shorter and is known only when the stream ends. */
function inPieces(size: number, work: (piece: Buffer, index: number, isLast: boolean) => Buffer): Transform {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let index = 0;
  const guarded = (callback: TransformCallback, run: () => void): void => {
    try {
      run();
    } catch (error) {
      return callback(error as Error);
    }
    callback();
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      guarded(callback, () => {
        if (waitingBytes <= size) return;
        const all = Buffer.concat(waiting, waitingBytes);
        let start = 0;
        for (; all.length - start > size; start += size)
          this.push(work(all.subarray(start, start + size), index++, false));
        waiting = [all.subarray(start)];
        waitingBytes = all.length - start;
      });
    },
    flush(callback) {
      guarded(callback, () => this.push(work(Buffer.concat(waiting, waitingBytes), index, true)));
    },
  });
}
