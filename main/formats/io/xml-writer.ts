import { type ByteSink, createByteWriter } from './byte-writer.ts';

/** XML 1.0 cannot represent these characters, not even escaped. */
const illegalCharacters =
  // oxlint-disable-next-line no-control-regex -- the characters that XML 1.0 forbids, or writes as references
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
// oxlint-disable-next-line no-control-regex -- the characters that XML 1.0 forbids, or writes as references
const needsCare = /[&<>"'\u0000-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/**
 * Escapes text between elements. Characters that XML cannot represent become U+FFFD; line feeds and tabs are unchanged.
 */
export function escapeXmlText(text: string): string {
  if (!needsCare.test(text)) return text;
  return text.replace(illegalCharacters, '\uFFFD').replace(/[&<>\r]/g, (character) => escapes[character] ?? character);
}

/**
 * Escapes an attribute value in double quotes. Line ends and tabs become character references, because parsers
 * normalize them.
 */
function escapeXmlAttribute(text: string): string {
  if (!needsCare.test(text)) return text;
  return text
    .replace(illegalCharacters, '\uFFFD')
    .replace(/[&<>"\n\r\t]/g, (character) => escapes[character] ?? character);
}

/**
 * Writes XML element by element. Names are constants of the caller and are not checked. `open` starts an element,
 * attribute calls must follow directly, and `close` ends the innermost element (as `<a/>` if it is empty).
 */
export interface XmlWriter {
  declaration(): void;
  open(name: string): void;
  attribute(name: string, value: string | number): void;
  /** Number with two decimals, as `%.2f`. */
  attributeTwoDecimals(name: string, value: number): void;
  /** `x,y;x,y` with two decimals each. */
  attributePoints(name: string, points: ArrayLike<number>): void;
  /** Numbers in their shortest form, separated by `, ` (run lengths). */
  attributeNumbers(name: string, values: ArrayLike<number>, from: number, to: number): void;
  text(text: string): void;
  close(): void;
  /** `<name>text</name>` */
  leaf(name: string, text: string): void;
  readonly isFull: boolean;
  /** Passes the chunk to the sink. Await it when `isFull`. */
  drain(): Promise<void>;
  /** Writes all buffered text. Await it at the end. */
  flush(): Promise<void>;
}

export function createXmlWriter(sink: ByteSink): XmlWriter {
  const out = createByteWriter(sink);
  const stack: string[] = [];
  let tagOpen = false;
  let lastWasText = false;

  const newLine = (depth: number): void => out.ascii(`\n${'  '.repeat(depth)}`);
  const endTag = (): void => {
    if (tagOpen) out.ascii('>');
    tagOpen = false;
  };
  const startAttribute = (name: string): void => {
    out.ascii(` ${name}="`);
  };

  const writer: XmlWriter = {
    get isFull() {
      return out.isFull;
    },
    declaration() {
      out.ascii('<?xml version="1.0" encoding="utf-8"?>');
    },
    open(name) {
      endTag();
      newLine(stack.length);
      out.text(`<${name}`);
      stack.push(name);
      tagOpen = true;
      lastWasText = false;
    },
    attribute(name, value) {
      startAttribute(name);
      if (typeof value === 'number') out.number(value);
      else out.text(escapeXmlAttribute(value));
      out.ascii('"');
    },
    attributeTwoDecimals(name, value) {
      startAttribute(name);
      out.twoDecimals(value);
      out.ascii('"');
    },
    attributePoints(name, points) {
      startAttribute(name);
      for (let index = 0; index + 1 < points.length; index += 2) {
        if (index > 0) out.ascii(';');
        out.twoDecimals(points[index] ?? 0);
        out.ascii(',');
        out.twoDecimals(points[index + 1] ?? 0);
      }
      out.ascii('"');
    },
    attributeNumbers(name, values, from, to) {
      startAttribute(name);
      for (let index = from; index < to; index += 1) {
        if (index > from) out.ascii(', ');
        out.number(values[index] ?? 0);
      }
      out.ascii('"');
    },
    text(text) {
      endTag();
      out.text(escapeXmlText(text));
      lastWasText = true;
    },
    close() {
      const name = stack.pop();
      if (name === undefined) throw new Error('close() without open()');
      if (tagOpen) out.ascii('/>');
      else {
        if (!lastWasText) newLine(stack.length);
        out.text(`</${name}>`);
      }
      tagOpen = false;
      lastWasText = false;
      if (stack.length === 0) out.ascii('\n');
    },
    leaf(name, text) {
      writer.open(name);
      writer.text(text);
      writer.close();
    },
    drain: out.drain,
    flush: out.flush,
  };
  return writer;
}
