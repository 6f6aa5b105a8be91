import { AppError } from '../../platform/errors.ts';
import { createUtf8Decoder } from './text-encoding.ts';

/** A file with a longer line is not text. */
const maxLineLength = 16 * 1024 * 1024;

/** Lines of a small text. `\n`, `\r\n` and `\r` end a line; a BOM and a last empty line are dropped. */
export function splitLines(bytes: Uint8Array | string): string[] {
  const text = typeof bytes === 'string' ? bytes.replace(/^\uFEFF/, '') : createUtf8Decoder()(bytes);
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Calls `onLine` for every line of a stream with its number, from 1. Uses memory for one chunk and one line. Throws for
 * bytes that are not UTF-8 and for lines over 16 million characters. `between` is awaited after each chunk.
 */
export async function readLines(
  input: AsyncIterable<Uint8Array>,
  onLine: (line: string, lineNumber: number) => void,
  between?: () => Promise<void> | void | undefined,
): Promise<void> {
  const decode = createUtf8Decoder();
  const pending: string[] = [];
  let pendingLength = 0;
  let lineNumber = 0;
  const hold = (text: string): void => {
    if (text !== '') pending.push(text);
    pendingLength += text.length;
    if (pendingLength > maxLineLength) {
      throw new AppError('invalid', 'A line of the file is longer than 16 MB: this is not a text file.');
    }
  };
  const emit = (text: string): void => {
    lineNumber += 1;
    onLine(text, lineNumber);
  };
  const consume = (text: string, last: boolean): void => {
    // A carriage return at the end of a chunk is held back, because a line feed may follow in the next.
    const end = !last && text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    if (lines.length > 1) {
      emit(pending.join('') + lines[0]);
      pending.length = 0;
      pendingLength = 0;
      for (let index = 1; index < lines.length - 1; index += 1) emit(lines[index] ?? '');
    }
    hold(lines.at(-1) ?? '');
    carriage = text.slice(end);
  };
  let carriage = '';
  for await (const chunk of input) {
    consume(carriage + decode(chunk), false);
    await between?.();
  }
  consume(carriage + decode(), true);
  if (pendingLength > 0) emit(pending.join(''));
}
