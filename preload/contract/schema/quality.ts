import { z } from 'zod';
import { shapeTypes } from '../annotation-names.ts';
import { basicUserSchema, dateTimeSchema } from './common.ts';
import {
  pointSizeBases,
  requirementItemSchema,
  requirementItemWriteSchema,
  requirementsSummarySchema,
  share,
  targetMetrics,
} from './quality-requirements.ts';

export const conflictTypes = [
  'missing_annotation',
  'extra_annotation',
  'mismatching_label',
  'low_overlap',
  'mismatching_direction',
  'mismatching_attributes',
  'mismatching_groups',
  'covered_annotation',
] as const;
export type ConflictType = (typeof conflictTypes)[number];

const choices = {
  target_metric: z.enum(targetMetrics),
  target_metric_threshold: share,
  iou_threshold: share,
  oks_sigma: share,
  /** Reference for the distance of points: their bounding box or the image. */
  point_size_base: z.enum(pointSizeBases),
  line_thickness: share,
  low_overlap_threshold: share,
  compare_line_orientation: z.boolean(),
  line_orientation_threshold: share,
  compare_groups: z.boolean(),
  group_match_threshold: share,
  check_covered_annotations: z.boolean(),
  object_visibility_threshold: share,
  panoptic_comparison: z.boolean(),
  compare_attributes: z.boolean(),
  /** True if frames without any annotation count as correct. */
  empty_is_annotated: z.boolean(),
  /** JSON Logic: annotation jobs that reports compare. Empty: all of them. */
  job_filter: z.string().max(1024),
  /** Stored for clients: Limner does not validate jobs when they are finished, and neither does open-source CVAT. */
  max_validations_per_job: z.int().min(0),
};
const qualityChoicesSchema = z.object(choices);
export type QualityChoices = z.output<typeof qualityChoicesSchema>;

export const usualChoices: QualityChoices = {
  target_metric: 'accuracy',
  target_metric_threshold: 0.7,
  iou_threshold: 0.4,
  oks_sigma: 0.09,
  point_size_base: 'group_bbox_size',
  line_thickness: 0.01,
  low_overlap_threshold: 0.8,
  compare_line_orientation: true,
  line_orientation_threshold: 0.1,
  compare_groups: true,
  group_match_threshold: 0.5,
  check_covered_annotations: true,
  object_visibility_threshold: 0.05,
  panoptic_comparison: true,
  compare_attributes: true,
  empty_is_annotated: false,
  job_filter: '',
  max_validations_per_job: 0,
};

export const qualitySettingsPatchSchema = z.object({
  ...qualityChoicesSchema.partial().shape,
  /** For a task in a project: true uses the project's settings. Sending any other value alone sets it to false. */
  inherit: z.boolean().optional(),
  /** Requirements to change, or to create under a new name. */
  requirements: z.array(requirementItemWriteSchema).optional(),
});

export const qualitySettingsSchema = z.object({
  id: z.int(),
  task_id: z.int().nullable(),
  project_id: z.int().nullable(),
  inherit: z.boolean(),
  ...choices,
  requirements: z.array(requirementItemSchema),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
});
export type QualitySettings = z.output<typeof qualitySettingsSchema>;

export const annotationIdSchema = z.object({
  obj_id: z.int(),
  job_id: z.int(),
  type: z.enum(['tag', 'shape', 'track']),
  shape_type: z.enum(shapeTypes).nullable(),
});
export type AnnotationId = z.infer<typeof annotationIdSchema>;

export const qualityConflictSchema = z.object({
  id: z.int(),
  frame: z.int(),
  type: z.enum(conflictTypes),
  annotation_ids: z.array(annotationIdSchema),
  report_id: z.int(),
  severity: z.enum(['warning', 'error']),
  /** Names of different attributes, if requirements found the conflict. */
  attribute_names: z.array(z.string()),
});
export type QualityConflict = z.infer<typeof qualityConflictSchema>;

const conflictCounts = {
  conflict_count: z.int(),
  error_count: z.int(),
  conflicts_by_type: z.record(z.string(), z.int()),
};

export const qualitySummarySchema = z.object({
  total_frames: z.int(),
  validation_frames: z.int(),
  validation_frame_share: z.number(),
  ...conflictCounts,
  warning_count: z.int(),
  valid_count: z.int(),
  ds_count: z.int(),
  gt_count: z.int(),
  total_count: z.int(),
  accuracy: z.number(),
  precision: z.number(),
  recall: z.number(),
  /** Same as `validation_frames` and `validation_frame_share`, with the names that older clients use. */
  frame_count: z.int().optional(),
  frame_share: z.number().optional(),
  /** In reports of tasks and projects. Absent otherwise, because clients cannot read null. */
  jobs: z
    .object({
      total: z.int(),
      excluded: z.int(),
      not_checkable: z.int(),
      included: z.int(),
      /** Jobs that reach all enabled requirements. */
      completed: z.int(),
    })
    .optional(),
  /**
   * In reports of projects: `custom` tasks have their own settings, `not_configured` tasks have no completed ground
   * truth.
   */
  tasks: z
    .object({
      total: z.int(),
      custom: z.int(),
      not_configured: z.int(),
      excluded: z.int(),
      included: z.int(),
      completed: z.int(),
    })
    .optional(),
  requirements: requirementsSummarySchema,
  /** Conflicts that the enabled requirements found. The other counts are those of the settings. */
  requirement_conflicts: z.object(conflictCounts),
});
export type QualitySummary = z.infer<typeof qualitySummarySchema>;

export const qualityReportSchema = z.object({
  id: z.int(),
  job_id: z.int().nullable(),
  task_id: z.int().nullable(),
  project_id: z.int().nullable(),
  parent_id: z.int().nullable(),
  target: z.enum(['job', 'task', 'project']),
  summary: qualitySummarySchema,
  created_date: dateTimeSchema,
  target_last_updated: dateTimeSchema,
  gt_last_updated: dateTimeSchema.nullable(),
  assignee: basicUserSchema.nullable(),
});
export type QualityReport = z.infer<typeof qualityReportSchema>;

export const qualityReportRequestSchema = z.object({ task_id: z.int().optional(), project_id: z.int().optional() });

export const qualityReportDataQuerySchema = z.object({
  /** `csv`: only the confusion matrix. */
  format: z.enum(['json', 'csv']).default('json'),
});

/** Complete report, frame by frame. Reports of older versions have fewer fields. */
export const qualityReportDataSchema = z.looseObject({
  parameters: z.record(z.string(), z.unknown()),
  comparison_summary: z.record(z.string(), z.unknown()),
  /** Absent in reports of projects. */
  frame_results: z.record(z.string(), z.unknown()).optional(),
});
export type QualityReportData = z.infer<typeof qualityReportDataSchema>;
