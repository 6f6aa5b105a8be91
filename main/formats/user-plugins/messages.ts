import { z } from 'zod';
import { formatOptionSchema } from '../../../preload/contract/schema/formats.ts';
import type { LabelInfo, TaskMeta } from '../kit/task-data.ts';

/** What the process of a plug-in is told first, and only once. */
export type StartMessage =
  | { readonly command: 'describe'; readonly module: string }
  | {
      readonly command: 'detect';
      readonly module: string;
      /** Display name of the importer that is asked. */
      readonly format: string;
      readonly file: { readonly path: string; readonly name: string };
    }
  | {
      readonly command: 'import' | 'export';
      readonly module: string;
      /** Display name of the importer or exporter to run. */
      readonly format: string;
      readonly file: { readonly path: string; readonly name: string };
      readonly options: Readonly<Record<string, unknown>>;
      readonly meta: TaskMeta;
      readonly labels: readonly LabelInfo[];
      readonly frameCount: number;
      /** Whether labels of the file may become labels of the project. */
      readonly takesLabels: boolean;
    };

const nameSchema = z.string().min(1).max(100);

/** The formats of a module as it registers them. */
export const describedSchema = z
  .array(
    z.object({
      kind: z.enum(['importer', 'exporter']),
      name: nameSchema,
      version: z.string().max(40),
      ext: z.string().regex(/^[A-Za-z0-9]{1,12}(\s*,\s*[A-Za-z0-9]{1,12})*$/, 'ext is no list of file extensions'),
      display_name: nameSchema,
      dimension: z.enum(['2d', '3d', '1d']),
      enabled: z.boolean(),
      options: z.array(formatOptionSchema).max(50).default([]),
      /** Whether the importer says itself which files it reads. */
      detects: z.boolean().default(false),
    }),
  )
  .max(100);
export type DescribedFormat = Readonly<z.infer<typeof describedSchema>[number]>;

export type ListName = 'shapes' | 'tracks' | 'tags' | 'frames' | 'grouped';

/** What a plug-in asks of its task: each question is answered with `{ value }`. */
export type Question =
  | { readonly ask: 'open'; readonly list: ListName; readonly includeEmpty: boolean }
  | { readonly ask: 'next'; readonly id: number }
  | { readonly ask: 'close'; readonly id: number }
  | { readonly ask: 'match'; readonly item: unknown }
  | { readonly ask: 'frame'; readonly frame: unknown }
  | { readonly ask: 'image'; readonly frame: unknown };

/** One object that an importer adds: its kind, the object, and where in the file it stands. */
export type AddedItem = readonly [kind: 'shape' | 'track' | 'tag', item: unknown, at: string | null];
export type ReportItem =
  | readonly ['carried', string, string, number]
  | readonly ['lost', string, string, string, number]
  | readonly ['bad', string, string, string]
  | readonly ['warn', string];

/** What a plug-in says without asking. */
export type Statement =
  | { readonly say: 'described'; readonly formats: readonly DescribedFormat[] }
  | { readonly say: 'detected'; readonly found: unknown }
  | { readonly say: 'add'; readonly items: readonly AddedItem[] }
  | { readonly say: 'report'; readonly items: readonly ReportItem[] }
  | { readonly say: 'label'; readonly label: unknown }
  | { readonly say: 'progress'; readonly fraction: number }
  | { readonly say: 'done' }
  | { readonly say: 'failed'; readonly message: string };
