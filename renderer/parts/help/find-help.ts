import type { HelpPages } from '../../api/help-queries.ts';

interface FoundHelp {
  /** Below `/help/`, with the anchor of the heading. */
  readonly page: string;
  readonly title: string;
  /** Title of the page that a heading stands on. */
  readonly of?: string;
}

const shown = 5;

/** Pages and sections that contain all words. Those with the phrase in their heading come first, then in their text. */
export function findHelp(pages: HelpPages, words: readonly string[]): readonly FoundHelp[] {
  if (words.length === 0) return [];
  const phrase = words.join(' ');
  const all = pages.flatMap(({ title, path, text, sections }): (FoundHelp & { readonly text: string })[] => [
    { page: path, title, text },
    ...sections.map((section) => ({ ...section, page: `${path}#${section.anchor}`, of: title })),
  ]);
  const found = all.flatMap(({ page, title, of, text }) => {
    const heading = `${of ?? ''} ${title}`.toLowerCase();
    const whole = `${heading} ${text.toLowerCase()}`;
    if (!words.every((word) => whole.includes(word))) return [];
    const rank = [title.toLowerCase(), heading, whole].findIndex((part) => part.includes(phrase));
    return [{ rank: rank === -1 ? 3 : rank, help: { page, title, ...(of === undefined ? {} : { of }) } }];
  });
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, shown)
    .map(({ help }) => help);
}
