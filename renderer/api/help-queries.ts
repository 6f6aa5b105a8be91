import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';

const section = z.object({ title: z.string(), anchor: z.string(), text: z.string() });
const page = z.object({ title: z.string(), path: z.string(), text: z.string(), sections: z.array(section).readonly() });
const pagesSchema = z.array(page).readonly();
export type HelpPages = z.output<typeof pagesSchema>;

/** Pages of Help with their sections (docs/.vitepress/search-index.ts); null if the documentation was not built. */
export const helpPagesQuery = () =>
  queryOptions({
    queryKey: ['help'],
    queryFn: async ({ signal }): Promise<HelpPages | null> => {
      const answer = await fetch('/help/pages.json', { signal });
      return answer.ok ? pagesSchema.parse(await answer.json()) : null;
    },
    staleTime: Infinity,
  });
