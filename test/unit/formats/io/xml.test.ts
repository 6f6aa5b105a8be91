import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXml, type XmlLimits } from '../../../../main/formats/io/xml-reader.ts';
import { createXmlWriter, type XmlWriter } from '../../../../main/formats/io/xml-writer.ts';
import { createMemorySink } from '../../../support/memory-sink.ts';

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

async function* chunksOf(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function parse(xml: string | Uint8Array, chunkBytes = 7, limits: Partial<XmlLimits> = {}): Promise<Element> {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  await readXml(
    chunksOf(Buffer.from(xml), chunkBytes),
    {
      open(name, attributes) {
        const element: Element = { name, attributes: { ...attributes }, children: [], text: '' };
        stack.at(-1)?.children.push(element);
        stack.push(element);
      },
      text(text) {
        const top = stack.at(-1);
        if (top) top.text += text;
      },
      close: () => void stack.pop(),
    },
    limits,
  );
  const [top] = root.children;
  if (!top) throw new Error('no root');
  return top;
}

async function write(build: (xml: XmlWriter) => void): Promise<string> {
  const sink = createMemorySink();
  const xml = createXmlWriter(sink);
  build(xml);
  await xml.flush();
  return sink.text();
}

/** Characters that XML cannot contain: control characters except tab and line ends, and lone surrogates. */
const impossible =
  // oxlint-disable-next-line no-control-regex -- the characters that XML 1.0 forbids
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('<', '&', '>', '"', "'", ']', '\r', '\n', '\t', 'ä', '\u0001') }),
);

describe('XML round trip', () => {
  it('preserves any text and attribute, except for characters that XML cannot contain', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (attribute, text) => {
        const xml = await write((out) => {
          out.declaration();
          out.open('a');
          out.attribute('x', attribute);
          out.leaf('b', text);
          out.close();
        });
        const root = await parse(xml);
        expect(root.attributes['x']).toBe(attribute.replace(impossible, '\uFFFD'));
        expect(root.children[0]?.text).toBe(text.replace(impossible, '\uFFFD'));
      }),
      { numRuns: 500 },
    );
  });

  it('indents elements but never text', async () => {
    const xml = await write((out) => {
      out.declaration();
      out.open('a');
      out.leaf('b', ' x ');
      out.open('c');
      out.attributeTwoDecimals('n', 1.005);
      out.attributePoints('p', [1, 2, 3.456, -0.125]);
      out.attributeNumbers('r', [0, 5, 2], 0, 2);
      out.close();
      out.close();
    });
    expect(xml).toBe(
      '<?xml version="1.0" encoding="utf-8"?>\n<a>\n  <b> x </b>\n  <c n="1.00" p="1.00,2.00;3.46,-0.12" r="0, 5"/>\n</a>\n',
    );
  });
});

describe('readXml', () => {
  it('reads other encodings that the file states', async () => {
    expect((await parse(Buffer.from('\ufeff<a x="ä"/>', 'utf16le'))).attributes['x']).toBe('ä');
    expect(
      (await parse(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a x="\u00e4"/>', 'latin1'), 1000))
        .attributes['x'],
    ).toBe('ä');
    await expect(parse('<?xml version="1.0" encoding="martian"?><a/>', 1000)).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(parse(Buffer.from([0x3c, 0x61, 0x3e, 0xff]))).rejects.toThrow(/encoding/);
  });

  it('reads multi-byte characters across chunks, and refuses halves of them', async () => {
    const text = '\ufeff<a x="ä\ufeff語😀">\ufeff</a>';
    for (const chunkBytes of [1, 2, 3, 5]) {
      expect(await parse(text, chunkBytes)).toMatchObject({ attributes: { x: 'ä\ufeff語😀' }, text: '\ufeff' });
    }
    const cut = Buffer.from('<a>😀').subarray(0, -1);
    await expect(parse(cut)).rejects.toThrow(/encoding/);
    await expect(parse(Buffer.concat([cut, Buffer.from('</a>')]), 4)).rejects.toThrow(/encoding/);
  });

  it('returns text only in the requested elements and their children', async () => {
    const told: string[] = [];
    const xml = '<a>1<b>2<c>3<b>4</b>5</c><![CDATA[6]]></b>7<b/>8<![CDATA[9]]></a>';
    await readXml(chunksOf(Buffer.from(xml), 2), {
      textIn: new Set(['b']),
      open: () => undefined,
      text: (text) => void told.push(text),
    });
    expect(told.join('')).toBe('23456');
  });

  it('ignores a document type and refuses its entities', async () => {
    expect((await parse('<!DOCTYPE a SYSTEM "file:///etc/passwd" [<!ELEMENT a ANY>]><a>1</a>')).text).toBe('1');
    await expect(parse('<!DOCTYPE a [<!ENTITY x "boom">]><a>&x;</a>')).rejects.toThrow(/line 1/);
    await expect(parse('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('names the line of an error', async () => {
    await expect(parse('<a>\n<b>\n</a>')).rejects.toThrow(/line 3/);
    await expect(parse('<a>')).rejects.toMatchObject({ code: 'invalid' });
    await expect(parse('')).rejects.toMatchObject({ code: 'invalid' });
  });

  it('has limits for depth, attributes and their length', async () => {
    await expect(parse('<a>'.repeat(300) + '</a>'.repeat(300), 5000)).rejects.toThrow(/deeper than 256/);
    const many = Array.from({ length: 1001 }, (_, index) => `a${index}="1"`).join(' ');
    await expect(parse(`<a ${many}/>`, 5000)).rejects.toThrow(/more than 1000 attributes/);
    await expect(parse(`<a x="${'1'.repeat(100)}"/>`, 50, { maxAttributeLength: 99 })).rejects.toThrow(/too long/);
  });

  it('has attributes without a prototype', async () => {
    let names: string[] = [];
    await readXml(chunksOf(Buffer.from('<a __proto__="1" constructor="2"/>'), 100), {
      open: (_name, attributes) => {
        names = Object.keys(attributes);
        expect(attributes['toString']).toBeUndefined();
      },
    });
    expect(names).toEqual(['__proto__', 'constructor']);
  });
});
