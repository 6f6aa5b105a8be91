import { TextDecoder } from 'node:util';
import { type SaxesAttributePlain, SaxesParser, type SaxesTagPlain } from 'saxes';
import { AppError } from '../../platform/errors.ts';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Where the reader stands: for messages. */
export interface XmlPosition {
  readonly line: number;
  readonly depth: number;
}

export interface XmlHandlers {
  /** `attributes` has no prototype: a missing attribute is undefined whatever its name. */
  open(name: string, attributes: XmlAttributes, position: XmlPosition): void;
  /** Character data and CDATA, possibly in several pieces, also the white space between elements. */
  text?(text: string, position: XmlPosition): void;
  close?(name: string, position: XmlPosition): void;
}

export interface XmlLimits {
  readonly maxDepth: number;
  readonly maxAttributes: number;
  readonly maxAttributeLength: number;
}

const defaultXmlLimits: XmlLimits = { maxDepth: 256, maxAttributes: 1000, maxAttributeLength: 64 * 1024 * 1024 };

type XmlOptions = { xmlns: false; position: true };

const sniffedBytes = 256;

/** Byte order mark first, then the encoding that the XML declaration names, then UTF-8. */
function decoderFor(head: Uint8Array): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  const start = Buffer.from(head.subarray(0, sniffedBytes)).toString('latin1');
  const encoding = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw new AppError(
      'invalid',
      `The XML file says it is encoded as ${encoding}, which cannot be read. Save it as UTF-8.`,
      undefined,
      { cause },
    );
  }
}

/**
 * Reads XML as a stream of events; memory is one chunk and the open elements. A document type is ignored, so entities
 * that it declares are unknown and refused; nothing outside the input is ever read. Fails with `AppError('invalid')`
 * that names line and column. An exception from a handler ends the reading and comes through.
 */
export async function readXml(
  input: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  limits: Partial<XmlLimits> = {},
): Promise<void> {
  const { maxDepth, maxAttributes, maxAttributeLength } = { ...defaultXmlLimits, ...limits };
  const parser = new SaxesParser<XmlOptions>({ xmlns: false, position: true });
  const refuse = (reason: string): never => {
    throw new AppError(
      'invalid',
      `The XML cannot be read at line ${parser.line}, column ${parser.columnIndex + 1}: ${reason}`,
    );
  };
  let depth = 0;
  let attributeCount = 0;
  const position: XmlPosition = {
    get line() {
      return parser.line;
    },
    get depth() {
      return depth;
    },
  };
  parser.on('error', (error) => refuse(error.message.replace(/^\d+:\d+: /, '')));
  parser.on('opentagstart', () => {
    depth += 1;
    attributeCount = 0;
    if (depth > maxDepth) refuse(`elements are nested deeper than ${maxDepth}.`);
  });
  parser.on('attribute', ({ value }: SaxesAttributePlain) => {
    attributeCount += 1;
    if (attributeCount > maxAttributes) refuse(`an element has more than ${maxAttributes} attributes.`);
    if (value.length > maxAttributeLength) refuse('an attribute is too long.');
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => handlers.open(name, attributes, position));
  parser.on('closetag', ({ name }) => {
    handlers.close?.(name, position);
    depth -= 1;
  });
  if (handlers.text) {
    const onText = (text: string): void => handlers.text?.(text, position);
    parser.on('text', onText);
    parser.on('cdata', onText);
  }
  await feed(parser, input, refuse);
}

async function feed(
  parser: SaxesParser<XmlOptions>,
  input: AsyncIterable<Uint8Array>,
  refuse: (reason: string) => never,
): Promise<void> {
  let decoder: TextDecoder | undefined;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? '';
    } catch {
      return refuse('the bytes are not in the encoding that the file states.');
    }
  };
  for await (const chunk of input) {
    decoder ??= decoderFor(chunk);
    parser.write(decode(chunk));
  }
  parser.write(decode());
  parser.close();
}
