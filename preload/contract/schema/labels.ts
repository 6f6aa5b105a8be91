import { z } from 'zod';
import { longestName, shapeTypes } from '../annotation-names.ts';

export const labelTypes = ['any', ...shapeTypes.toSorted(), 'interval', 'tag'] as const;
export const labelTypeSchema = z.enum(labelTypes);
export type LabelType = z.infer<typeof labelTypeSchema>;

export const inputTypes = ['checkbox', 'radio', 'number', 'text', 'select'] as const;
export const inputTypeSchema = z.enum(inputTypes);
export type InputType = z.infer<typeof inputTypeSchema>;

export const attributeSchema = z.object({
  id: z.int(),
  name: z.string(),
  mutable: z.boolean(),
  input_type: inputTypeSchema,
  default_value: z.string(),
  /** For a number: minimum, maximum, step. */
  values: z.array(z.string()),
});
export type Attribute = z.infer<typeof attributeSchema>;

export const attributeWriteSchema = z.object({
  id: z.int().optional(),
  name: z.string().trim().min(1).max(longestName),
  mutable: z.boolean().default(false),
  input_type: inputTypeSchema,
  default_value: z.string().max(128).default(''),
  values: z.array(z.string().max(200)).default([]),
  /** With `id`: deletes the attribute and its values in annotations. */
  deleted: z.boolean().optional(),
});

const labelFields = {
  id: z.int(),
  name: z.string(),
  color: z.string(),
  attributes: z.array(attributeSchema),
  type: labelTypeSchema,
  svg: z.string().optional(),
  has_parent: z.boolean(),
};
export const sublabelSchema = z.object({ ...labelFields, sublabels: z.array(z.unknown()).optional() });
export const labelSchema = z.object({
  ...labelFields,
  parent_id: z.int().nullable(),
  sublabels: z.array(sublabelSchema),
  /** Exactly one of the two is set. */
  project_id: z.int().optional(),
  task_id: z.int().optional(),
});
export type Label = z.infer<typeof labelSchema>;

/** Maximum number of characters of a skeleton's SVG. */
export const longestDrawing = 200_000;

const labelWriteFields = {
  id: z.int().optional(),
  name: z.string().trim().min(1).max(longestName).optional(),
  color: z
    .string()
    .regex(/^(#[0-9a-fA-F]{6})?$/, 'Enter a colour such as #33ddff.')
    .optional(),
  attributes: z.array(attributeWriteSchema).optional(),
  type: labelTypeSchema.optional(),
  svg: z.string().max(longestDrawing).optional(),
  deleted: z.boolean().optional(),
};
/**
 * Entry in the label list of a project or task: changes the label with `id`, creates one without, and `deleted` deletes
 * it.
 */
export const labelWriteSchema = z.object({
  ...labelWriteFields,
  sublabels: z.array(z.object(labelWriteFields)).optional(),
});
export type LabelWrite = z.infer<typeof labelWriteSchema>;
