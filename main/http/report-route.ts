import type { Core } from '../core.ts';
import type { PlainRoute } from './route.ts';

/** The log and what a helper asks for first, as one file. */
export const reportRoute = ({ logs }: Pick<Core, 'logs'>): PlainRoute => ({
  method: 'GET',
  path: '/api/limner/report/file',
  tag: 'limner',
  summary: 'A zip of the log and of facts about the program',
  statuses: [200],
  async answer({ actor }) {
    const bytes = new Uint8Array(await logs.pack(actor));
    const name = `limner-report-${new Date().toISOString().slice(0, 10)}.zip`;
    return new Response(bytes, {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      },
    });
  },
});
