import { z } from 'zod';
import { basicUserSchema } from './common.ts';

const share = z.number().min(0).max(1);

export const consensusSettingsSchema = z.object({
  id: z.int(),
  task_id: z.int(),
  /** How much objects must overlap to be the same thing. */
  iou_threshold: share,
  /** Limner's own: the share of replicas that must agree on an object. */
  quorum: share,
});
export type ConsensusSettings = z.infer<typeof consensusSettingsSchema>;
export const consensusSettingsPatchSchema = consensusSettingsSchema
  .pick({ iou_threshold: true, quorum: true })
  .partial();

/** All jobs of a task that have replicas, or one of them. */
export const consensusMergeRequestSchema = z.object({ task_id: z.int().optional(), job_id: z.int().optional() });

const measure = z.number().nullable();
const numbers = {
  /** Objects that are the same thing, whatever they are called. */
  matched: z.int(),
  /** Those of them that have the same label. */
  agreed: z.int(),
  /** Null where nobody has an object. */
  f1: measure,
  accuracy: measure,
};
export const agreementPairSchema = z.object({
  /** Places among the people; the same where one person has several replicas of a job. */
  first: z.int(),
  second: z.int(),
  frames: z.int(),
  objects_first: z.int(),
  objects_second: z.int(),
  ...numbers,
  /** Cohen's, of the labels of matched objects; null where they leave nothing to chance. */
  kappa: measure,
  /** Frames on which they differ, the worst first; of many, the worst. */
  differences: z.array(z.object({ frame: z.int(), count: z.int(), job_first: z.int(), job_second: z.int() })),
});
export type AgreementPair = z.infer<typeof agreementPairSchema>;

export const agreementSchema = z.object({
  task_id: z.int(),
  iou_threshold: share,
  /** Annotation jobs with two replicas and more that were begun. */
  jobs: z.int(),
  /** Who annotated; a replica that is nobody's stands for itself. */
  people: z.array(z.object({ user: basicUserSchema.nullable(), jobs: z.array(z.int()) })),
  pairs: z.array(agreementPairSchema),
  /** Of all pairs: what they have together, and the mean of their kappas. */
  overall: z.object({ ...numbers, kappa: measure }),
});
export type Agreement = z.infer<typeof agreementSchema>;

export const agreementFileQuerySchema = z.object({ format: z.enum(['json', 'csv']) });
export const agreementFileSchema = z.object({ name: z.string(), type: z.string(), content: z.string() });
