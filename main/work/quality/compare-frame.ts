import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { ConflictType, QualityChoices } from '../../../preload/contract/schema/quality.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { mismatchedGroups } from './compare-groups.ts';
import type { ComparedLabel, ComparedObject, ImageSize } from '../../comparison/compared-object.ts';
import { objectsByFrame } from '../../comparison/frame-objects.ts';
import { directedLineSimilarity } from '../../comparison/line-similarity.ts';
import { matchObjects, type Pair } from '../../comparison/match-objects.ts';
import { comparingOn } from '../../comparison/similarity.ts';
import { coveredObjects } from './covered-objects.ts';
import type { FoundConflict } from './found-conflict.ts';
import { createRequirementComparison, type RequirementComparison } from './compare-requirement.ts';
import type { EffectiveRequirement } from './requirement-rules.ts';
import { countsOfFrame, type QualityCounts } from './quality-counts.ts';

export interface FrameComparison {
  readonly conflicts: readonly FoundConflict[];
  readonly counts: QualityCounts;
  /** In the order of the requirements. */
  readonly requirements: readonly RequirementComparison[];
}

const errors: ReadonlySet<ConflictType> = new Set(['missing_annotation', 'extra_annotation', 'mismatching_label']);

type Tell = (type: ConflictType, ...ofWhom: ComparedObject[]) => void;

interface Terms {
  readonly size: ImageSize;
  readonly choices: QualityChoices;
  readonly labelIndex: ReadonlyMap<number, number>;
}

export function compareFrame(
  frame: number,
  truths: readonly ComparedObject[],
  objects: readonly ComparedObject[],
  { size, choices, labelIndex }: Terms,
): Omit<FrameComparison, 'requirements'> {
  const matching = matchObjects(truths, objects, comparingOn(size, choices, [truths, objects]));
  const { pairs, missing, extra } = matching;

  const conflicts: FoundConflict[] = [];
  const tell: Tell = (type, ...ofWhom) =>
    void conflicts.push({
      frame,
      type,
      severity: errors.has(type) ? 'error' : 'warning',
      annotation_ids: ofWhom.map(({ id }) => id),
    });
  for (const { object } of missing) tell('missing_annotation', object);
  for (const { object } of extra) tell('extra_annotation', object);
  for (const pair of pairs) tellOfPair(pair, tell, { size, choices });
  if (choices.compare_groups) {
    const shapes = pairs.filter(({ truth }) => truth.type !== 'tag');
    for (const { truth, object } of mismatchedGroups(shapes, truths, objects, choices.group_match_threshold))
      tell('mismatching_groups', object, truth);
  }
  if (choices.check_covered_annotations) {
    for (const object of coveredObjects(objects, size, choices)) tell('covered_annotation', object);
  }
  return { conflicts, counts: countsOfFrame(matching, labelIndex, choices.empty_is_annotated) };
}

function tellOfPair(
  { truth, object, similarity }: Pair,
  tell: Tell,
  { size, choices }: Omit<Terms, 'labelIndex'>,
): void {
  const isSameLabel = truth.labelId === object.labelId;
  if (!isSameLabel) tell('mismatching_label', object, truth);
  if (truth.type !== 'tag' && similarity < choices.low_overlap_threshold) tell('low_overlap', object, truth);
  if (truth.type === 'polyline' && choices.compare_line_orientation) {
    const directed = directedLineSimilarity(
      truth.points,
      object.points,
      size.width * size.height,
      choices.line_thickness,
    );
    if (similarity - directed > choices.line_orientation_threshold) tell('mismatching_direction', object, truth);
  }
  if (choices.compare_attributes && isSameLabel && !haveSameValues(truth, object))
    tell('mismatching_attributes', object, truth);
}

const haveSameValues = ({ attributes }: ComparedObject, { attributes: others }: ComparedObject): boolean =>
  attributes.size === others.size && [...attributes].every(([name, value]) => others.get(name) === value);

interface Side {
  readonly jobId: number;
  readonly data: LabeledData;
}

export interface CompareJob {
  readonly labels: readonly ComparedLabel[];
  readonly frames: readonly (ImageSize & { readonly frame: number })[];
  readonly truth: Side;
  readonly own: Side;
  readonly choices: QualityChoices;
  readonly requirements: readonly EffectiveRequirement[];
}

export type ComparedFrames = readonly (readonly [frame: number, comparison: FrameComparison])[];

/** Runs in a worker thread, because masks of large images are counted pixel by pixel. */
export function compareQuality(
  { frames, labels, truth, own, choices, requirements }: CompareJob,
  run: JobRun,
): ComparedFrames {
  const wanted = objectsByFrame(truth.data, truth.jobId, labels);
  const found = objectsByFrame(own.data, own.jobId, labels);
  const labelIndex = new Map(labels.map(({ id }, index) => [id, index]));
  const compareRequirements = createRequirementComparison(requirements, labels);
  return frames.map(({ frame, width, height }, at) => {
    run.progress(at / frames.length);
    const size = { width, height };
    const [truths, objects] = [wanted(frame), found(frame)];
    const compared = compareFrame(frame, truths, objects, { size, choices, labelIndex });
    return [frame, { ...compared, requirements: compareRequirements(frame, truths, objects, size) }] as const;
  });
}
