import { z } from 'zod';

/** Type of the background requests for automatic annotation. */
export const autoannotateType = 'autoannotate:task';

const regionSchema = z.object({ left: z.int(), top: z.int(), width: z.int(), height: z.int() }).nullable();

const runParametersSchema = z.object({
  function: z.string(),
  task: z.int(),
  job: z.int().nullable(),
  threshold: z.number().nullable(),
  maxDistance: z.number().nullable(),
  cleanup: z.boolean(),
  masksToPolygons: z.boolean(),
  /** Stored unchanged; validated when the request was created. */
  mapping: z.unknown(),
  region: regionSchema,
  /** Continue behind the last finished frame of an earlier run of this function. */
  resume: z.boolean(),
});
export type RunParameters = z.output<typeof runParametersSchema>;

export const readParameters = (text: string): RunParameters => runParametersSchema.parse(JSON.parse(text));
