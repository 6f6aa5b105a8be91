import { useNavigate } from '@tanstack/react-router';
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

/** Screens and their Help pages (docs/, without `.md`). `*` matches one part of an address. The first match wins. */
export const screenPages = [
  ['/tasks/*/jobs', 'guide/workspace'],
  ['/tasks/new', 'guide/first-task'],
  ['/tasks', 'guide/first-task'],
  ['/projects', 'guide/first-task'],
  ['/jobs', 'guide/review'],
  ['/models/batches', 'guide/batches'],
  ['/models', 'guide/models'],
  ['/evaluations', 'guide/evaluation'],
  ['/cloudstorages', 'guide/buckets'],
  ['/remote', 'guide/remote'],
  ['/webhooks', 'guide/webhooks'],
  ['/analytics', 'guide/administration'],
  ['/organizations', 'guide/administration'],
  ['/settings/backup', 'guide/backup'],
  ['/settings/storage', 'guide/backup'],
  ['/settings/ssh-keys', 'guide/git'],
  ['/settings/shortcuts', 'reference/keys'],
  ['/settings/api-access', 'reference/api'],
  ['/settings', 'guide/administration'],
  ['/requests', 'guide/import'],
] as const;

/** Help page of a screen's address; undefined for the first page. */
export function helpPageOf(address: string): string | undefined {
  const parts = address.split('/');
  const fits = (pattern: string) => pattern.split('/').every((part, index) => part === '*' || part === parts[index]);
  const page = screenPages.find(([pattern]) => fits(pattern))?.[1];
  return page && `${page}.html`;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Address of the screen from which Help was opened. */
    helpFrom?: string;
  }
}

const helpPath = '/help';

/** Opens a Help page by its address below `/help/`, by default the first one. */
export function useOpenHelp(): (page?: string) => void {
  const navigate = useNavigate();
  return (page) => {
    const { pathname, search } = window.location;
    void navigate({
      to: helpPath,
      search: page === undefined ? {} : { page },
      // Help that is open already keeps its origin.
      state: (before) => (pathname === helpPath ? before : { helpFrom: pathname + search }),
    });
  };
}
