import { TextDecoder } from 'node:util';
import { type SaxesAttributePlain, SaxesParser, type SaxesTagPlain } from 'saxes';
import { AppError } from '../../platform/errors.ts';
import { endOfWholeCharacters } from './utf8-characters.ts';
import { defined } from '../../platform/defined.ts';

export type XmlAttributes = Readonly<Record<string, string>>;

export interface XmlPosition {
  readonly line: number;
  readonly depth: number;
}

export interface XmlHandlers {
  /** `attributes` has no prototype, so a missing attribute is undefined whatever its name. */
  open(name: string, attributes: XmlAttributes, position: XmlPosition): void;
  /** Called for character data and CDATA, possibly in several pieces, and for white space between elements. */
  text?(text: string, position: XmlPosition): void;
  /**
   * Elements whose text (and that of their descendants) is reported; all if missing. Other text is not decoded into
   * strings.
   */
  readonly textIn?: ReadonlySet<string>;
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

/** Decodes a chunk; without a chunk, the rest at the end. Throws for invalid bytes. */
type Decode = (chunk?: Uint8Array) => string;

function streamingDecode(encoding: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true });
  if (decoder.encoding === 'utf-8') return decodeUtf8();
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
}

/**
 * Decodes only complete characters: Node's decoder in stream mode takes twice the time, and its strings twice the
 * memory.
 */
function decodeUtf8(): Decode {
  let decoder = new TextDecoder('utf-8', { fatal: true });
  let rest: Uint8Array = new Uint8Array();
  return (chunk) => {
    const bytes = chunk === undefined ? rest : rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = chunk === undefined ? bytes.length : endOfWholeCharacters(bytes);
    // Copied, because the chunk's memory may be reused.
    rest = new Uint8Array(bytes.subarray(end));
    const text = decoder.decode(bytes.subarray(0, end));
    // A byte order mark is only a mark at the start; later it is a character.
    if (end > 0 && !decoder.ignoreBOM) decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return text;
  };
}

/** Precedence: byte order mark, encoding in the XML declaration, UTF-8. */
function decoderFor(head: Uint8Array): Decode {
  if (head[0] === 0xff && head[1] === 0xfe) return streamingDecode('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return streamingDecode('utf-16be');
  const start = Buffer.from(head.subarray(0, sniffedBytes)).toString('latin1');
  const encoding = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  try {
    return streamingDecode(encoding);
  } catch (cause) {
    throw new AppError(
      'invalid',
      `Cannot read the XML file: its encoding ${encoding} is not supported. Save it as UTF-8.`,
      undefined,
      { cause },
    );
  }
}

/**
 * Reads XML as a stream of events, in memory for one chunk and the open elements. The document type is ignored, so
 * entities that it declares are unknown and an error; no external resource is ever read. Throws `AppError('invalid')`
 * with line and column. An exception of a handler stops reading and is rethrown.
 */
export async function readXml(
  input: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  limits: Partial<XmlLimits> = {},
): Promise<void> {
  const { maxDepth, maxAttributes, maxAttributeLength } = { ...defaultXmlLimits, ...defined(limits) };
  const parser = new SaxesParser<XmlOptions>({ xmlns: false, position: true });
  const refuse = (reason: string): never => {
    throw new AppError(
      'invalid',
      `Cannot read the XML at line ${parser.line}, column ${parser.columnIndex + 1}: ${reason}`,
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
  const { textIn } = handlers;
  const onText = (text: string): void => handlers.text?.(text, position);
  /** Number of open elements whose text is reported. */
  let told = 0;
  const tellText = (change: number): void => {
    told += change;
    for (const kind of ['text', 'cdata'] as const) {
      if (told > 0) parser.on(kind, onText);
      else parser.off(kind);
    }
  };
  if (handlers.text && !textIn) tellText(1);
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    handlers.open(name, attributes, position);
    if (textIn?.has(name)) tellText(1);
  });
  parser.on('closetag', ({ name }) => {
    if (textIn?.has(name)) tellText(-1);
    handlers.close?.(name, position);
    depth -= 1;
  });
  await feed(parser, input, refuse);
}

async function feed(
  parser: SaxesParser<XmlOptions>,
  input: AsyncIterable<Uint8Array>,
  refuse: (reason: string) => never,
): Promise<void> {
  let decoder: Decode | undefined;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder?.(chunk) ?? '';
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
