import type { HelpPages } from '../../api/help-queries.ts';

interface FoundHelp {
  /** Below `/help/`, with the anchor of the heading. */
  readonly page: string;
  readonly title: string;
  /** Title of the page that a heading stands on. */
  readonly of?: string;
}

const shown = 5;

/** Pages and headings that contain all words, those with the words as one phrase first. */
export function findHelp(pages: HelpPages, words: readonly string[]): readonly FoundHelp[] {
  if (words.length === 0) return [];
  const phrase = words.join(' ');
  const all = pages.flatMap(({ title, path, headings }): FoundHelp[] => [
    { page: path, title },
    ...headings.map((heading) => ({ page: `${path}#${heading.anchor}`, title: heading.title, of: title })),
  ]);
  const rank = ({ title }: FoundHelp): number => (title.toLowerCase().includes(phrase) ? 0 : 1);
  return all
    .filter(({ title, of = '' }) => {
      const own = title.toLowerCase();
      // A heading is found by a word of its own; the title of its page narrows.
      return (
        words.some((word) => own.includes(word)) && words.every((word) => `${own} ${of.toLowerCase()}`.includes(word))
      );
    })
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, shown);
}
