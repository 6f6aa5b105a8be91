import { describe, expect, it } from 'vitest';
import { readInline, readMarkdown } from '../../../../../renderer/shared/markdown/markdown.ts';

const text = (written: string) => ({ kind: 'text', text: written });

describe('Markdown', () => {
  it('is parsed as blocks', () => {
    const blocks = readMarkdown(
      '# Fruit #\r\nTwo\nlines\n\n- one\n  - inner\n- two\n  goes on\n\n7. first\n\n> said\n\n```js\n# no heading\n```\n---\nend',
    );
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, of: [text('Fruit')] },
      { kind: 'paragraph', of: [text('Two\nlines')] },
      {
        kind: 'list',
        ordered: false,
        items: [
          { depth: 0, number: null, of: [text('one')] },
          { depth: 1, number: null, of: [text('inner')] },
          { depth: 0, number: null, of: [text('two\ngoes on')] },
        ],
      },
      { kind: 'list', ordered: true, items: [{ depth: 0, number: 7, of: [text('first')] }] },
      { kind: 'quote', of: [text('said')] },
      { kind: 'code', text: '# no heading' },
      { kind: 'rule' },
      { kind: 'paragraph', of: [text('end')] },
    ]);
  });

  it('has tables: names, alignment, and cells that may contain a pipe', () => {
    expect(readMarkdown('What | how\n:--|--:\n| car | `box` |\n| a \\| b |\n\nno | table\n---')).toEqual([
      {
        kind: 'table',
        columns: [
          { side: 'left', of: [text('What')] },
          { side: 'right', of: [text('how')] },
        ],
        rows: [
          [[text('car')], [{ kind: 'code', text: 'box' }]],
          [[text('a | b')], []],
        ],
      },
      { kind: 'paragraph', of: [text('no | table')] },
      { kind: 'rule' },
    ]);
  });

  it('has emphasis, code, links and its own images', () => {
    expect(readInline('a **b _c_** `**d**` [e](https://x.org/y) snake_case_name \\*f\\*')).toMatchObject([
      text('a '),
      { kind: 'strong', of: [text('b '), { kind: 'emphasis', of: [text('c')] }] },
      text(' '),
      { kind: 'code', text: '**d**' },
      text(' '),
      { kind: 'link', href: 'https://x.org/y', of: [text('e')] },
      text(' snake_case_name '),
      text('*'),
      text('f'),
      text('*'),
    ]);
    expect(readInline('![cut](/api/assets/12ab-34)')).toEqual([
      { kind: 'image', source: '/api/assets/12ab-34', alt: 'cut' },
    ]);
  });

  it('runs nothing and loads nothing from elsewhere', () => {
    expect(readInline('<script>alert(1)</script>')).toEqual([text('<script>alert(1)</script>')]);
    for (const href of ['javascript:alert', 'JavaScript:x', 'data:text/html,x', '//x.org', '/\\x.org', 'vbscript:x'])
      expect(readInline(`[x](${href})`)).toEqual([text(`[x](${href})`)]);
    expect(readInline('![x](https://x.org/y.png)')).toEqual([
      { kind: 'link', href: 'https://x.org/y.png', of: [text('x')] },
    ]);
    expect(readInline('![x](/api/assets/../users)')).toMatchObject([{ kind: 'link' }]);
  });

  it('is parsed completely for any text', () => {
    expect(readMarkdown('```\nopen')).toEqual([{ kind: 'code', text: 'open' }]);
    const long = '*'.repeat(30_000);
    expect(readMarkdown(`x${long}`)).toEqual([{ kind: 'paragraph', of: [text(`x${long}`)] }]);
    expect(readMarkdown(`${'[x'.repeat(5000)}\n`.repeat(20))).toHaveLength(1);
  });
});
