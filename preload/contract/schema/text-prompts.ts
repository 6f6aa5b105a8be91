import { z } from 'zod';

/** Phrases that models looked for last, in a project or in a task without one. */
export const textPromptsSchema = z.object({ prompts: z.array(z.string().min(1).max(256)).max(256) });
