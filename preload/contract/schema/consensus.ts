import { z } from 'zod';
import { basicUserSchema } from './common.ts';

const share = z.number().min(0).max(1);

export const consensusSettingsSchema = z.object({
  id: z.int(),
  task_id: z.int(),
  /** Minimum overlap of objects that count as the same. */
  iou_threshold: share,
  /** Limner extension: minimum share of replicas that agree on an object. */
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
  matched: z.int(),
  agreed: z.int(),
  /** Null if neither has an object. */
  f1: measure,
  accuracy: measure,
};
export const agreementPairSchema = z.object({
  /** Indices in `annotators`; equal if one user has several replicas of a job. */
  first: z.int(),
  second: z.int(),
  frames: z.int(),
  objects_first: z.int(),
  objects_second: z.int(),
  ...numbers,
  /** Cohen's kappa for the labels of matched objects; null if it is undefined. */
  kappa: measure,
  /** Frames with differences, the worst first; limited in number. */
  differences: z.array(z.object({ frame: z.int(), count: z.int(), job_first: z.int(), job_second: z.int() })),
});
export type AgreementPair = z.infer<typeof agreementPairSchema>;

export const agreementSchema = z.object({
  task_id: z.int(),
  iou_threshold: share,
  /** Annotation jobs with at least two started replicas. */
  jobs: z.int(),
  /** Annotator, or the replica's job if it is unassigned. */
  annotators: z.array(z.object({ user: basicUserSchema.nullable(), jobs: z.array(z.int()) })),
  pairs: z.array(agreementPairSchema),
  /** Totals over all pairs, and their mean kappa. */
  overall: z.object({ ...numbers, kappa: measure }),
});
export type Agreement = z.infer<typeof agreementSchema>;

export const agreementFileQuerySchema = z.object({ format: z.enum(['json', 'csv']) });
export const agreementFileSchema = z.object({ name: z.string(), type: z.string(), content: z.string() });
