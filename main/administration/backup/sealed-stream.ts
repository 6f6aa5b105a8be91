import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import { AppError } from '../../platform/errors.ts';

/** The beginning of a backup that is encrypted. The number stands for everything below. */
export const sealedMagic = Buffer.from('LIMNER-SEALED-1\n', 'latin1');

const saltBytes = 16;
const prefixBytes = 7;
const headerBytes = sealedMagic.length + saltBytes + prefixBytes;
const pieceBytes = 64 * 1024;
const tagBytes = 16;
/** Not read from the file: nobody can make a backup that takes hours or gigabytes to refuse. */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);
const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  derive(passphrase.normalize('NFC'), salt, 32, cost);

/**
 * The number of a piece is part of its nonce, and so is whether it is the last: pieces that change places, are left out
 * or cut off do not open (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár).
 */
function nonceOf(prefix: Buffer, index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  prefix.copy(nonce);
  nonce.writeUInt32BE(index, prefixBytes);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** AES-256-GCM in pieces of 64 KiB, under a key that scrypt makes of the passphrase. */
export async function createSealing(passphrase: string): Promise<Transform> {
  const salt = randomBytes(saltBytes);
  const prefix = randomBytes(prefixBytes);
  const header = Buffer.concat([sealedMagic, salt, prefix]);
  const key = await keyOf(passphrase, salt);
  const seal = (piece: Buffer, index: number, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(prefix, index, isLast)).setAAD(header);
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  };
  const stream = inPieces(pieceBytes, seal);
  stream.push(header);
  return stream;
}

/** @throws AppError `forbidden` from the stream, for a wrong passphrase or for damage */
export async function createOpening(passphrase: string, header: Buffer): Promise<Transform> {
  const salt = header.subarray(sealedMagic.length, sealedMagic.length + saltBytes);
  const prefix = header.subarray(sealedMagic.length + saltBytes, headerBytes);
  const key = await keyOf(passphrase, salt);
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

const wrongPassphrase = (cause: unknown) =>
  new AppError(
    'forbidden',
    'The passphrase does not open this backup, or its beginning is damaged. Nothing was changed.',
    undefined,
    { cause },
  );
const damaged = (cause: unknown) =>
  new AppError('invalid', 'The backup is damaged or cut off. Nothing was changed.', undefined, { cause });

/** Works on pieces of one size. The last one is shorter or whole, and known as the last when the stream ends. */
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
