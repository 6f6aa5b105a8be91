import { isAscii, isUtf8 } from 'node:buffer';

/** Decodes as Latin-1 if all bytes are ASCII, because that parses fastest. Invalid UTF-8 is an error. */
function decodeJson(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes))
    throw new SyntaxError('the text is not valid UTF-8: choose its text encoding (--encoding on the command line)');
  return bytes.toString('utf8');
}

/**
 * Matches strings, and Python's words for numbers that JSON does not have. Plain parts of strings are matched in one
 * step: labelme writes images of thirty megabytes as one string.
 */
const stringOrWord = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

export const parseJsonBytes = (bytes: Buffer): unknown => parseJson(decodeJson(bytes));

/** Parses JSON, with null for NaN and infinite numbers. Throws `SyntaxError` for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    return JSON.parse(text.replace(stringOrWord, (found) => (found.startsWith('"') ? found : 'null')));
  }
}
