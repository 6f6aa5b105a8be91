import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf } from './anchor.ts';
import { docsPages, frontMatter } from './pages.ts';

interface Section {
  readonly title: string;
  readonly anchor: string;
  readonly text: string;
}

/** A page as the program's palette searches it. The site's own search has an index of its own. */
interface IndexedPage {
  readonly title: string;
  /** Address below the site's base. */
  readonly path: string;
  /** Text before the first heading. */
  readonly text: string;
  readonly sections: readonly Section[];
}

/** Words of Markdown without its marks. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|#>]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

function indexedPage(docs: string, { file, title }: { readonly file: string; readonly title: string }): IndexedPage {
  const body = readFileSync(join(docs, file), 'utf8')
    .replace(frontMatter, '')
    .replace(/^# .*$/m, '');
  const [text = '', ...sections] = body.split(/^(?=#{2,3} )/m);
  const taken = new Map<string, number>();
  return {
    title,
    path: file.replace(/\.md$/, '.html'),
    text: plain(text),
    sections: sections.map((section) => {
      const [, heading = '', rest = ''] = /^#+ (.*)\n?([\s\S]*)$/.exec(section) ?? [];
      const anchor = anchorOf(heading);
      const count = taken.get(anchor) ?? 0;
      taken.set(anchor, count + 1);
      return { title: plain(heading), anchor: count === 0 ? anchor : `${anchor}-${count}`, text: plain(rest) };
    }),
  };
}

export const searchIndex = (docs: string): readonly IndexedPage[] =>
  docsPages(docs).map((page) => indexedPage(docs, page));
