import { z } from 'zod';

/** Kind of the background requests that annotate by a function. */
export const autoannotateType = 'autoannotate:task';

const regionSchema = z.object({ left: z.int(), top: z.int(), width: z.int(), height: z.int() }).nullable();

/** What an automatic annotation was asked to do, as it waits in the store. */
const runParametersSchema = z.object({
  function: z.string(),
  task: z.int(),
  job: z.int().nullable(),
  threshold: z.number().nullable(),
  maxDistance: z.number().nullable(),
  cleanup: z.boolean(),
  masksToPolygons: z.boolean(),
  /** As it came; checked when the request was made. */
  mapping: z.unknown(),
  region: regionSchema,
  /** Go on behind the last frame that an earlier run of this function finished. */
  resume: z.boolean(),
});
export type RunParameters = z.output<typeof runParametersSchema>;

export const readParameters = (text: string): RunParameters => runParametersSchema.parse(JSON.parse(text));
