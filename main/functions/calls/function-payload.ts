import { badRequest } from './lambda-errors.ts';

const head = Buffer.from('{');

interface PayloadContent {
  readonly images: Readonly<Record<string, Buffer>>;
  readonly fields: Readonly<Record<string, unknown>>;
}

const contents = new WeakMap<readonly Uint8Array[], PayloadContent>();

/** Content of a payload of this process, so that models in this process need not decode it. */
export const payloadContent = (payload: readonly Uint8Array[]): PayloadContent | undefined => contents.get(payload);

/**
 * Body of a call in pieces: base64 images (without line breaks, to be valid JSON), then the other fields. A large image
 * is encoded when its piece is first read, which models in this process never do, and is never copied.
 */
export function functionPayload(
  images: Readonly<Record<string, Buffer>>,
  fields: Readonly<Record<string, unknown>>,
): Buffer[] {
  const pieces: Buffer[] = [head];
  let separator = '';
  for (const [name, bytes] of Object.entries(images)) {
    pieces.push(Buffer.from(`${separator}${JSON.stringify(name)}:"`));
    let encoded: Buffer | undefined;
    const get = () => (encoded ??= Buffer.from(bytes.toString('base64'), 'latin1'));
    Object.defineProperty(pieces, pieces.length, { get, enumerable: true, configurable: true });
    pieces.push(Buffer.from('"'));
    separator = ',';
  }
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    pieces.push(Buffer.from(`${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`));
    separator = ',';
  }
  pieces.push(Buffer.from('}'));
  contents.set(pieces, { images, fields });
  return pieces;
}

/** Reads a number or numeric string. As in CVAT, 0 is not sent to the function. */
export function optionalNumber(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null || value === '' || value === 0) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) throw badRequest(`${name} must be a number`);
  return number === 0 ? undefined : number;
}
