import type { z } from 'zod';
import type { serverOperations } from '../../../preload/contract/operations/server.ts';
import type { FormatOptions } from '../../../preload/contract/schema/formats.ts';
import type { DatasetFormats, pluginsSchema, shareEntrySchema } from '../../../preload/contract/schema/server.ts';
import type { Actor } from '../../people/access/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { HandlersOf } from '../handler.ts';
import { serviceVersion } from '../versioning.ts';

type ShareEntry = z.output<typeof shareEntrySchema>;

export interface ServerPorts {
  readonly formats: () => DatasetFormats | Promise<DatasetFormats>;
  readonly formatOptions: () => FormatOptions | Promise<FormatOptions>;
  readonly plugins: () => z.output<typeof pluginsSchema>;
  /** Files and folders below the share folder. */
  readonly share: (actor: Actor, directory: string, search: string) => ShareEntry[] | Promise<ShareEntry[]>;
  /** The state of each part: `working`, or a sentence about what is wrong. */
  readonly health: () => Record<string, string> | Promise<Record<string, string>>;
}

type ServerPart = Pick<typeof serverOperations, 'about' | 'health' | 'formats' | 'formatOptions' | 'plugins' | 'share'>;

export function createServerHandlers(ports: ServerPorts): HandlersOf<ServerPart> {
  return {
    about: ({ request }) => ({
      name: 'Limner',
      description: 'Annotation workbench for images and video on one workstation.',
      version: serviceVersion,
      logo_url: `${request.baseUrl}/icon.svg`,
      subtitle: 'Everything stays on this machine',
    }),
    async health() {
      const parts = await ports.health();
      if (Object.values(parts).every((state) => state === 'working')) return parts;
      throw new AppError('unavailable', 'A part of the service does not work.', parts);
    },
    formats: () => ports.formats(),
    formatOptions: () => ports.formatOptions(),
    plugins: () => ports.plugins(),
    share: ({ actor, query }) => ports.share(actor, query.directory, query.search),
  };
}
