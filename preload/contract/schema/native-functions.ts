import { z } from 'zod';
import { shapeTypeSchema } from './annotations.ts';
import { dateTimeSchema } from './common.ts';
import { inputTypeSchema } from './labels.ts';

/** Native functions: paths, fields and status codes are those that agents of `cvat-cli function run-agent` expect. */

export const nativeKinds = ['detector', 'interactor', 'tracker'] as const;

const attributeSchema = z.object({ name: z.string(), input_type: inputTypeSchema, values: z.array(z.string()) });
const partSchema = z.object({
  name: z.string(),
  /** Absent in functions that do not declare it. */
  type: z.string().default('any'),
  attributes: z.array(attributeSchema).default([]),
});
const labelSchema = partSchema.extend({ sublabels: z.array(partSchema).optional() });

const nativeFieldsSchema = z.object({
  labels_v2: z.array(labelSchema).optional(),
  min_pos_points: z.int().nonnegative().optional(),
  /** −1: negative points are not supported. */
  min_neg_points: z.int().min(-1).optional(),
  startswith_box: z.boolean().optional(),
  startswith_box_optional: z.boolean().optional(),
  supported_shape_types: z.array(shapeTypeSchema).optional(),
});
export type NativeFields = z.output<typeof nativeFieldsSchema>;

export const nativeFunctionWriteSchema = nativeFieldsSchema.extend({
  provider: z.literal('native'),
  name: z.string().min(1).max(255),
  /** `private`: for users who manage functions; `public`: for every user who may call one. */
  visibility: z.enum(['private', 'public']).default('private'),
  kind: z.enum(nativeKinds),
});
export type NativeFunctionWrite = z.output<typeof nativeFunctionWriteSchema>;

export const nativeFunctionSchema = nativeFunctionWriteSchema.extend({ id: z.int(), created_date: dateTimeSchema });
export type NativeFunction = z.output<typeof nativeFunctionSchema>;

export const queueParams = z.object({ queue_id: z.string() });
export const agentRequestParams = z.object({ queue_id: z.string(), request_id: z.string() });

const agentId = z.string().min(1).max(255);

export const requestCategorySchema = z.enum(['interactive', 'batch']);
export type RequestCategory = z.output<typeof requestCategorySchema>;

export const acquireSchema = z.object({ agent_id: agentId, request_category: requestCategorySchema });

/** Null: no request of that category is waiting. */
export const acquiredSchema = z.object({
  ar_assignment: z.object({ ar_id: z.string(), ar_params: z.record(z.string(), z.unknown()) }).nullable(),
});
export type Acquired = z.output<typeof acquiredSchema>;

export const agentUpdateSchema = z.object({ agent_id: agentId, progress: z.number().min(0).max(1) });
export const agentFailSchema = z.object({ agent_id: agentId, exc_info: z.string().max(100_000) });

const foundShapes = z.array(z.record(z.string(), z.unknown()).nullable());

/**
 * Depends on the type of the request: annotations of a frame, shapes for a prompt, or states of a tracker with or
 * without shapes.
 */
export const agentResultSchema = z.object({
  agent_id: agentId,
  annotations: z
    .object({
      tags: z.array(z.record(z.string(), z.unknown())).default([]),
      shapes: z.array(z.record(z.string(), z.unknown())).default([]),
    })
    .optional(),
  shapes: foundShapes.optional(),
  states: z.array(z.string()).optional(),
});
export type AgentResult = z.output<typeof agentResultSchema>;
