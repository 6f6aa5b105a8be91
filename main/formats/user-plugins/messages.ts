import { z } from 'zod';
import { formatOptionSchema } from '../../../preload/contract/schema/formats.ts';
import type { LabelInfo, TaskMeta } from '../kit/task-data.ts';

/** First message to a plug-in's process, sent once. */
export type StartMessage =
  | { readonly command: 'describe'; readonly module: string }
  | {
      readonly command: 'detect';
      readonly module: string;
      readonly format: string;
      readonly file: { readonly path: string; readonly name: string };
    }
  | {
      readonly command: 'import' | 'export';
      readonly module: string;
      readonly format: string;
      readonly file: { readonly path: string; readonly name: string };
      readonly options: Readonly<Record<string, unknown>>;
      readonly meta: TaskMeta;
      readonly labels: readonly LabelInfo[];
      readonly frameCount: number;
      /** True if labels of the file can become labels of the project. */
      readonly takesLabels: boolean;
    };

const nameSchema = z.string().min(1).max(100);

export const describedSchema = z
  .array(
    z.object({
      kind: z.enum(['importer', 'exporter']),
      name: nameSchema,
      version: z.string().max(40),
      ext: z.string().regex(/^[A-Za-z0-9]{1,12}(\s*,\s*[A-Za-z0-9]{1,12})*$/, 'ext is not a list of file extensions'),
      display_name: nameSchema,
      dimension: z.enum(['2d', '3d', '1d']),
      enabled: z.boolean(),
      options: z.array(formatOptionSchema).max(50).default([]),
      /** True if the importer detects its files itself. */
      detects: z.boolean().default(false),
    }),
  )
  .max(100);
export type DescribedFormat = Readonly<z.infer<typeof describedSchema>[number]>;

export type ListName = 'shapes' | 'tracks' | 'tags' | 'frames' | 'grouped';

/** Requests of a plug-in about its task; each is answered with `{ value }`. */
export type Question =
  | { readonly ask: 'open'; readonly list: ListName; readonly includeEmpty: boolean }
  | { readonly ask: 'next'; readonly id: number }
  | { readonly ask: 'close'; readonly id: number }
  | { readonly ask: 'match'; readonly item: unknown }
  | { readonly ask: 'frame'; readonly frame: unknown }
  | { readonly ask: 'image'; readonly frame: unknown };

/** One object that an importer adds: its kind, the object, and its place in the file. */
export type AddedItem = readonly [kind: 'shape' | 'track' | 'tag', item: unknown, at: string | null];
export type ReportItem =
  | readonly ['included', string, string, number]
  | readonly ['dropped', string, string, string, number]
  | readonly ['invalid', string, string, string]
  | readonly ['warn', string];

export type Statement =
  | { readonly say: 'described'; readonly formats: readonly DescribedFormat[] }
  | { readonly say: 'detected'; readonly found: unknown }
  | { readonly say: 'add'; readonly items: readonly AddedItem[] }
  | { readonly say: 'report'; readonly items: readonly ReportItem[] }
  | { readonly say: 'label'; readonly label: unknown }
  | { readonly say: 'progress'; readonly fraction: number }
  | { readonly say: 'done' }
  | { readonly say: 'failed'; readonly message: string };
