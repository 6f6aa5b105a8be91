/**
 * Messages between Limner and a plug-in's process on one socket: 4 bytes with the length of the JSON text, 4 bytes with
 * the length of the attachment (both little-endian), the text, the attachment.
 */
export interface Frame {
  readonly message: unknown;
  readonly attachment: Buffer;
}

export const frameHeaderBytes = 8;

/** Larger frames are rejected, because the other side is not trusted. */
export const maxMessageBytes = 16 * 1024 * 1024;
export const maxAttachmentBytes = 512 * 1024 * 1024;

const noBytes = Buffer.alloc(0);

export function encodeFrame(message: unknown, attachment: Uint8Array = noBytes): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUInt32LE(text.length, 0);
  header.writeUInt32LE(attachment.length, 4);
  return Buffer.concat([header, text, attachment]);
}

export function frameSizes(header: Buffer): { readonly textBytes: number; readonly attachmentBytes: number } {
  return { textBytes: header.readUInt32LE(0), attachmentBytes: header.readUInt32LE(4) };
}

/** Splits a stream of bytes into frames. `push` throws for a frame that is too large or not JSON. */
export function createFrameReader(limits: { readonly textBytes: number; readonly attachmentBytes: number }) {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let neededBytes = frameHeaderBytes;

  const joined = (): Buffer => {
    const all = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting);
    waiting = [all];
    return all;
  };

  return {
    push(chunk: Buffer): Frame[] {
      const frames: Frame[] = [];
      waiting.push(chunk);
      waitingBytes += chunk.length;
      while (waitingBytes >= neededBytes) {
        const bytes = joined();
        const { textBytes, attachmentBytes } = frameSizes(bytes);
        if (textBytes > limits.textBytes || attachmentBytes > limits.attachmentBytes) {
          throw new Error(`a message of ${textBytes + attachmentBytes} bytes is larger than allowed`);
        }
        const end = frameHeaderBytes + textBytes + attachmentBytes;
        if (waitingBytes < end) {
          neededBytes = end;
          break;
        }
        const textEnd = frameHeaderBytes + textBytes;
        frames.push({
          message: JSON.parse(bytes.toString('utf8', frameHeaderBytes, textEnd)) as unknown,
          attachment: bytes.subarray(textEnd, end),
        });
        const rest = bytes.subarray(end);
        waiting = rest.length > 0 ? [rest] : [];
        waitingBytes = rest.length;
        neededBytes = frameHeaderBytes;
      }
      return frames;
    },
  };
}
