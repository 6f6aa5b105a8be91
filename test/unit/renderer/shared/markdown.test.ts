import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { MarkdownView } from '../../../../renderer/shared/markdown-view.tsx';

const rendered = (markdown: string): string =>
  renderToStaticMarkup(createElement(MarkdownView, { markdown })).replace(/^(<link[^>]*>)?<div[^>]*>|<\/div>$/g, '');
const inline = (markdown: string): string => rendered(markdown).replace(/^<p>|<\/p>$/g, '');
const linkTo = (href: string, text: string): string => `<a href="${href}" target="_blank" rel="noreferrer">${text}</a>`;

describe('Markdown', () => {
  it.each([
    ['headings, which start at the third level', '# Fruit #\n### Pears', '<h3>Fruit</h3><h5>Pears</h5>'],
    ['paragraphs that keep their lines', 'Two\r\nlines\n\nend', '<p>Two\nlines</p><p>end</p>'],
    [
      'lists with inner lists and continued items',
      '- one\n  - inner\n- two\n  goes on',
      '<ul><li>one<ul><li>inner</li></ul></li><li>two\ngoes on</li></ul>',
    ],
    [
      'an ordered list from its first number, with a bullet list in it',
      '7. first\n   - inner\n8. second',
      '<ol start="7"><li>first<ul><li>inner</li></ul></li><li>second</li></ol>',
    ],
    ['quotes', '> said\n> **so**', '<blockquote><p>said\n<strong>so</strong></p></blockquote>'],
    ['code, which is not parsed', '```js\n# no heading\n```', '<pre tabindex="0"># no heading</pre>'],
    ['code without an end', '```\nopen', '<pre tabindex="0">open</pre>'],
    ['rules', 'a\n\n---\nb', '<p>a</p><hr/><p>b</p>'],
  ])('renders %s', (_, markdown, html) => expect(rendered(markdown)).toBe(html));

  it('renders tables with alignment, code and escaped pipes', () => {
    expect(rendered('What | how\n:--|--:\n| car | `box` |\n| a \\| b |')).toBe(
      '<table><thead><tr><th scope="col" align="left">What</th><th scope="col" align="right">how</th></tr></thead>' +
        '<tbody><tr><td align="left">car</td><td align="right"><code>box</code></td></tr>' +
        '<tr><td align="left">a | b</td><td align="right"></td></tr></tbody></table>',
    );
    expect(rendered('no | table\n\n---')).toBe('<p>no | table</p><hr/>');
  });

  it.each([
    ['a **b _c_**', 'a <strong>b <em>c</em></strong>'],
    ['***a** b*', '<em><strong>a</strong> b</em>'],
    ['`**d**`', '<code>**d**</code>'],
    ['snake_case_name \\*f\\*', 'snake_case_name *f*'],
    ['[e](https://x.org/y)', linkTo('https://x.org/y', 'e')],
    ['see https://x.org/a_b, x.org', `see ${linkTo('https://x.org/a_b', 'https://x.org/a_b')}, x.org`],
    ['![cut](/api/assets/12ab-34)', '<img src="/api/assets/12ab-34" alt="cut"/>'],
  ])('renders %s in a line', (markdown, html) => expect(inline(markdown)).toBe(html));

  it('renders HTML as text', () => {
    const html = '<script>alert(1)</script> <img src="x" onerror="x">';
    expect(inline(html)).toBe(html.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'));
  });

  it.each(['javascript:alert', 'JavaScript:x', 'data:text/html,x', '//x.org', '/\\x.org', 'vbscript:x'])(
    'renders a link to %s as text',
    (href) => {
      expect(inline(`[x](${href})`)).toBe(`[x](${href})`);
      expect(inline(`![x](${href})`)).toBe(`![x](${href})`);
    },
  );

  it('renders an image of another address as a link, so that nothing is loaded', () => {
    expect(inline('![x](https://x.org/y.png)')).toBe(linkTo('https://x.org/y.png', 'x'));
    expect(inline('![](/api/assets/../users)')).toBe(linkTo('/api/assets/../users', '/api/assets/../users'));
  });

  it.each(['*'.repeat(30_000), `${'[x'.repeat(5000)}\n`.repeat(20), '> '.repeat(9000), '- '.repeat(9000)])(
    'renders any text completely',
    (start) => expect(rendered(`${start}\n\nlast words`)).toContain('last words'),
  );
});
