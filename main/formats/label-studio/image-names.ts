import { isRecord } from '../kit/records.ts';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Paths that an address of an image may mean: `/data/local-files/?d=a/b.jpg`, `s3://bucket/a/b.jpg`, and
 * `/data/upload/3/1a2b3c4d-b.jpg`, where the service put eight letters before the name.
 */
function namesOf(address: string): string[] {
  const parameter = /[?&]d=([^&]*)/.exec(address)?.[1];
  const plain = decoded(parameter ?? address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[?#].*$/, ''));
  const base = plain.slice(plain.lastIndexOf('/') + 1);
  const uploaded = /^[0-9a-f]{8}-(.+)$/.exec(base)?.[1];
  return [plain, ...(uploaded === undefined ? [] : [plain.slice(0, -base.length) + uploaded, uploaded])];
}

/** Members that hold an image in most projects. */
const usualKeys = ['image', 'img', 'photo', 'picture', 'url', 'file', 'path', 'video', 'ocr'];

/** Names of the image that a task is about, the likeliest first. */
export function imageNamesOf(data: unknown): string[] {
  if (!isRecord(data)) return [];
  const texts = Object.entries(data).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const isUsual = ([key]: readonly [string, string]): boolean => usualKeys.includes(key.toLowerCase());
  const looksLike = ([, text]: readonly [string, string]): boolean => /\.[a-z][a-z0-9]{1,4}([?#]|$)/i.test(text);
  const chosen = [...texts.filter(isUsual), ...texts.filter((entry) => !isUsual(entry) && looksLike(entry))];
  return [...new Set(chosen.flatMap(([, text]) => namesOf(text)))];
}
