import type { HelpPages } from '../../api/help-queries.ts';

interface FoundHelp {
  /** Below `/help/`, with the anchor of the heading. */
  readonly page: string;
  readonly title: string;
  readonly context: string;
}

const shown = 5;
/** Characters of an excerpt before and after the first word that was found. */
const [before, after] = [24, 72];

/** Text around the phrase, else around the longest word it contains; by default its beginning. */
function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const byLength = words.toSorted((a, b) => b.length - a.length);
  const at = [words.join(' '), ...byLength].map((one) => lower.indexOf(one)).find((place) => place >= 0) ?? 0;
  const start = at <= before ? 0 : text.indexOf(' ', at - before) + 1;
  const end = start + before + after;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** Pages and sections that contain all words. Those with the phrase in their heading come first, then in their text. */
export function findHelp(pages: HelpPages, words: readonly string[]): readonly FoundHelp[] {
  if (words.length === 0) return [];
  const phrase = words.join(' ');
  const all = pages.flatMap(({ title, path, text, sections }) => [
    { page: path, title, of: '', text },
    ...sections.map((section) => ({ ...section, page: `${path}#${section.anchor}`, of: title })),
  ]);
  const found = all.flatMap(({ page, title, of, text }) => {
    const heading = `${of} ${title}`.toLowerCase();
    const whole = `${heading} ${text.toLowerCase()}`;
    if (!words.every((word) => whole.includes(word))) return [];
    const rank = [title.toLowerCase(), heading, whole].findIndex((part) => part.includes(phrase));
    const context = [of, excerpt(text, rank === 0 ? [] : words)].filter((part) => part !== '').join(': ');
    return [{ rank: rank === -1 ? 3 : rank, help: { page, title, context } }];
  });
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, shown)
    .map(({ help }) => help);
}
