export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly of: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly of: readonly Inline[] }
  | { readonly kind: 'image'; readonly source: string; readonly alt: string };

export interface Item {
  /** 0 means not indented. */
  readonly depth: number;
  /** Null means a bullet. */
  readonly number: number | null;
  readonly of: readonly Inline[];
}

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly of: readonly Inline[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly of: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly Item[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly columns: readonly Column[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'rule' };

export type Cell = readonly Inline[];
export interface Column {
  readonly side: 'left' | 'center' | 'right';
  readonly of: Cell;
}

/** Longer runs stay plain text. */
const longestRun = 20_000;
const deepest = 4;
const inlinePattern =
  /\\([\\`*_{}[\]()#+\-.!>])|`([^`]+)`|!\[([^\]]*)\]\(([^()\s]+)\)|\[([^\]]+)\]\(([^()\s]+)\)|\*\*([^*]+)\*\*|(?<!\w)__([^_]+)__(?!\w)|\*([^*\s][^*]*)\*|(?<!\w)_([^_\s][^_]*)_(?!\w)|(https?:\/\/[^\s<>()]+)/g;

/** Only navigation, no executable URLs. */
const leads = (href: string): boolean => /^(https?:\/\/|mailto:|#)/i.test(href) || /^\/(?![/\\])/.test(href);
/** Only images of this service, because another server would learn who reads. */
const isOwnPicture = (source: string): boolean => /^\/api\/assets\/[\w-]+$/.test(source);

const link = (href: string, of: readonly Inline[], written: string): Inline =>
  leads(href) ? { kind: 'link', href, of } : { kind: 'text', text: written };

function picture(source: string, alt: string, written: string): Inline {
  if (isOwnPicture(source)) return { kind: 'image', source, alt };
  return link(source, [{ kind: 'text', text: alt === '' ? source : alt }], written);
}

/** Emphasis, code, links and images; everything else, including HTML, is text. */
export function readInline(text: string, depth = 0): readonly Inline[] {
  if (text.length > longestRun || depth > deepest) return [{ kind: 'text', text }];
  const found: Inline[] = [];
  let from = 0;
  const inner = (part: string): readonly Inline[] => readInline(part, depth + 1);
  for (const match of text.matchAll(inlinePattern)) {
    const [written, escaped, code, alt, source, words, href, bold, bold2, slanted, slanted2, bare] = match;
    if (match.index > from) found.push({ kind: 'text', text: text.slice(from, match.index) });
    from = match.index + written.length;
    const strong = bold ?? bold2;
    const emphasis = slanted ?? slanted2;
    if (escaped !== undefined) found.push({ kind: 'text', text: escaped });
    else if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (source !== undefined) found.push(picture(source, alt ?? '', written));
    else if (href !== undefined) found.push(link(href, inner(words ?? ''), written));
    else if (strong !== undefined) found.push({ kind: 'strong', of: inner(strong) });
    else if (emphasis !== undefined) found.push({ kind: 'emphasis', of: inner(emphasis) });
    else found.push(link(bare ?? '', [{ kind: 'text', text: written }], written));
  }
  if (from < text.length) found.push({ kind: 'text', text: text.slice(from) });
  return found;
}

const headingPattern = /^(#{1,6})\s+(.*?)\s*#*$/;
const itemPattern = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const rulePattern = /^ {0,3}([-*_])( *\1){2,} *$/;

const longestUnderline = 1000;
const underlinePattern = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Cells of a table row; an escaped bar belongs to its cell. */
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** A header row, a row of dashes with colons for alignment, and the rows below; null for anything else. */
function readTable(lines: readonly string[], at: number): { readonly block: Block; readonly last: number } | null {
  const [head = '', under = ''] = [lines[at], lines[at + 1]];
  const [names, dashes] = [cellsOf(head), cellsOf(under)];
  if (
    !head.includes('|') ||
    under.length > longestUnderline ||
    !underlinePattern.test(under) ||
    names.length !== dashes.length
  )
    return null;
  const columns = dashes.map((dash, index): Column => {
    const side = /^:.*:$/.test(dash) ? 'center' : dash.endsWith(':') ? 'right' : 'left';
    return { side, of: readInline(names[index] ?? '') };
  });
  let last = at + 1;
  const rows: Cell[][] = [];
  for (; lines[last + 1]?.includes('|'); last += 1) {
    const cells = cellsOf(lines[last + 1] ?? '');
    rows.push(columns.map((_, index) => readInline(cells[index] ?? '')));
  }
  return { block: { kind: 'table', columns, rows }, last };
}

interface OpenList {
  readonly ordered: boolean;
  readonly items: { readonly depth: number; readonly number: number | null; text: string }[];
}

export function readMarkdown(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = markdown.replaceAll('\r\n', '\n').split('\n');
  let paragraph: string[] = [];
  let quote: string[] = [];
  const open: { list: OpenList | null } = { list: null };
  const end = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', of: readInline(paragraph.join('\n')) });
    if (quote.length > 0) blocks.push({ kind: 'quote', of: readInline(quote.join('\n')) });
    const { list } = open;
    if (list !== null) {
      const items = list.items.map(({ text, ...item }) => ({ ...item, of: readInline(text) }));
      blocks.push({ kind: 'list', ordered: list.ordered, items });
    }
    paragraph = [];
    quote = [];
    open.list = null;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, marks, title] = headingPattern.exec(line) ?? [];
    const [, indent = '', mark, words = ''] = itemPattern.exec(line) ?? [];
    const table = readTable(lines, at);
    if (line.startsWith('```')) {
      end();
      const close = lines.findIndex((one, index) => index > at && one.startsWith('```'));
      const last = close < 0 ? lines.length : close;
      blocks.push({ kind: 'code', text: lines.slice(at + 1, last).join('\n') });
      at = last;
    } else if (table !== null) {
      end();
      blocks.push(table.block);
      at = table.last;
    } else if (line.trim() === '') end();
    else if (rulePattern.test(line)) {
      end();
      blocks.push({ kind: 'rule' });
    } else if (marks !== undefined) {
      end();
      blocks.push({ kind: 'heading', level: marks.length, of: readInline(title ?? '') });
    } else if (mark !== undefined) {
      const ordered = /\d/.test(mark);
      if (open.list?.ordered !== ordered && indent === '') end();
      open.list ??= { ordered, items: [] };
      const depth = Math.min(3, Math.floor(indent.replaceAll('\t', '    ').length / 2));
      open.list.items.push({ depth, number: ordered ? Number.parseInt(mark, 10) : null, text: words });
    } else if (line.startsWith('>')) {
      if (quote.length === 0) end();
      quote.push(line.replace(/^> ?/, ''));
    } else {
      const last = open.list?.items.at(-1);
      if (last !== undefined) last.text += `\n${line.trim()}`;
      else if (quote.length > 0) quote.push(line);
      else paragraph.push(line.trim());
    }
  }
  end();
  return blocks;
}
