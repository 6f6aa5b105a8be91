import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';

const heading = z.object({ title: z.string(), anchor: z.string() });
const pagesSchema = z.array(z.object({ title: z.string(), path: z.string(), headings: z.array(heading) }));
export type HelpPages = z.output<typeof pagesSchema>;

/** Pages and headings of Help (docs/.vitepress/config.ts writes them); null where the documentation was not built. */
export const helpPagesQuery = () =>
  queryOptions({
    queryKey: ['help'],
    queryFn: async ({ signal }): Promise<HelpPages | null> => {
      const answer = await fetch('/help/pages.json', { signal });
      return answer.ok ? pagesSchema.parse(await answer.json()) : null;
    },
    staleTime: Infinity,
  });
