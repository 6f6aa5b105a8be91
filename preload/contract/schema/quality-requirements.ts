import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

const baseMetrics = ['accuracy', 'precision', 'recall', 'jaccard_index', 'dice'] as const;
export type BaseMetric = (typeof baseMetrics)[number];

/** Without a prefix: over all objects. `mean_`: mean of the labels. `label_`: the worst label. */
export const targetMetrics = [
  ...baseMetrics,
  ...baseMetrics.map((name) => `mean_${name}` as const),
  ...baseMetrics.map((name) => `label_${name}` as const),
] as const;
export type TargetMetric = (typeof targetMetrics)[number];

export const requirementTypes = [
  'tag',
  'rectangle',
  'skeleton',
  'skeleton_keypoint',
  'points',
  'polyline',
  'mask',
  'polygon',
  'ellipse',
] as const;
export type RequirementType = (typeof requirementTypes)[number];

export const pointSizeBases = ['image_size', 'group_bbox_size'] as const;
export const share = z.number().min(0).max(1);

const comparator = z.enum(['exact', 'levenshtein']).nullable();
const comparisonDefaultSchema = z.object({
  enabled: z.boolean().nullable(),
  comparator,
  threshold: share.nullable(),
});
const comparisonRuleSchema = z.object({
  spec_id: z.int(),
  enabled: z.boolean(),
  comparator,
  threshold: share.nullable(),
});
/** Comparison of attributes: a default for all, and rules for single attributes. */
const attributeComparisonSchema = z.object({
  default: comparisonDefaultSchema,
  rules: z.array(comparisonRuleSchema),
});
export type AttributeComparison = z.output<typeof attributeComparisonSchema>;

const attributeComparisonWriteSchema = z.object({
  default: comparisonDefaultSchema.partial().nullable().optional(),
  rules: z.array(comparisonRuleSchema.partial({ comparator: true, threshold: true })).optional(),
});
export type AttributeComparisonWrite = z.output<typeof attributeComparisonWriteSchema>;

/** Settings of a comparison that a requirement inherits from its parent while they are null. */
const inherited = {
  annotation_type: z.enum(['', ...requirementTypes]).nullable(),
  metric: z.enum(targetMetrics).nullable(),
  required_score: share.nullable(),
  iou_threshold: share.nullable(),
  /** OKS sigma. */
  point_size: share.nullable(),
  point_size_base: z.enum(['', ...pointSizeBases]).nullable(),
  line_thickness: share.nullable(),
  match_orientation: z.boolean().nullable(),
  line_orientation_threshold: share.nullable(),
  match_groups: z.boolean().nullable(),
  group_match_threshold: share.nullable(),
  check_covered_annotations: z.boolean().nullable(),
  object_visibility_threshold: share.nullable(),
  panoptic_comparison: z.boolean().nullable(),
};
export const inheritedSettingsSchema = z.object(inherited);
export type InheritedSettings = z.output<typeof inheritedSettingsSchema>;

const own = {
  name: z.string().trim().min(1).max(250),
  sort_order: z.int(),
  /** JSON Logic as text; empty for all objects. */
  filter: z.string(),
  enabled: z.boolean(),
  parent_requirement: z.int().nullable(),
};

const requirementFields = { ...own, ...inherited };
const written = z.object({
  ...z.object(requirementFields).partial().shape,
  attribute_comparison: attributeComparisonWriteSchema.nullable().optional(),
});

export const requirementPatchSchema = written.extend({ settings_id: z.int().optional() });
export type RequirementPatch = z.output<typeof requirementPatchSchema>;
/** Requirement in the settings of a task or project, matched by its name. */
export const requirementItemWriteSchema = requirementPatchSchema.extend({ name: own.name });
export const requirementWriteSchema = requirementItemWriteSchema.extend({ settings_id: z.int() });

export interface RequirementTree extends RequirementPatch {
  readonly name: string;
  readonly children?: readonly RequirementTree[] | undefined;
}
const treeSchema: z.ZodType<RequirementTree> = written.extend({
  name: own.name,
  get children() {
    return z.array(treeSchema).optional();
  },
});
export const requirementBulkSchema = z.object({ settings_id: z.int(), requirements: z.array(treeSchema) });

export const requirementItemSchema = z.object({
  id: z.int(),
  settings_id: z.int(),
  task_id: z.int().nullable(),
  project_id: z.int().nullable(),
  /** True for the requirement that is the same as the settings of a task or project. */
  is_base: z.boolean(),
  ...requirementFields,
  attribute_comparison: attributeComparisonSchema,
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
});
export type RequirementItem = z.output<typeof requirementItemSchema>;
export const requirementSchema = requirementItemSchema.extend({
  /** Settings in force, with those that are inherited. */
  effective: z.record(z.string(), z.unknown()),
});
export type Requirement = z.output<typeof requirementSchema>;

const calculationSchema = z.object({
  status: z.enum(['computed', 'not_computed']),
  reason: z.enum(['no_annotations', 'filter_no_matches', 'required_attributes_missing']).nullable(),
});
export type RequirementCalculation = z.output<typeof calculationSchema>;

export const requirementsSummarySchema = z.object({
  total: z.int(),
  enabled: z.int(),
  /** Requirements whose score is reached, and those without anything to compare. */
  completed: z.int(),
  not_computed: z.int(),
  items: z.array(
    z.object({
      requirement_id: z.int().nullable(),
      name: z.string(),
      metric: z.enum(targetMetrics),
      score: z.number().nullable(),
      score_components: z.object({ valid_count: z.int(), missing_count: z.int(), extra_count: z.int() }),
      calculation: calculationSchema,
      threshold: z.number(),
    }),
  ),
});
export type RequirementsSummary = z.output<typeof requirementsSummarySchema>;

export const requirementMatrixQuerySchema = z.object({
  requirement: z.coerce.number().int(),
  format: z.enum(['json', 'csv']).default('json'),
});

const measures = z.array(z.number()).nullable();
export const requirementMatrixSchema = z.object({
  labels: z.array(z.string()),
  rows: z.array(z.array(z.int())),
  axes: z.object({ cols: z.string(), rows: z.string() }),
  precision: measures,
  recall: measures,
  accuracy: measures,
  jaccard_index: measures,
  dice: measures,
  target_metric_summary: z.object({
    metric: z.enum(baseMetrics),
    aggregation: z.enum(['micro', 'mean', 'label']),
    values: z.object({ micro: z.number().nullable(), mean: z.number().nullable(), label: z.number().nullable() }),
    worst_labels: z.array(z.string()),
  }),
});
export type RequirementMatrix = z.output<typeof requirementMatrixSchema>;
