import { areaOfCounts } from '../../../preload/geometry/run-length.ts';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { AnnotationId, ConflictType, QualityChoices } from '../../../preload/contract/schema/quality.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { mismatchedGroups } from './compare-groups.ts';
import type { ComparedLabel, ComparedObject, ImageSize } from '../../comparison/compared-object.ts';
import { objectsByFrame } from '../../comparison/frame-objects.ts';
import { directedLineSimilarity } from '../../comparison/line-similarity.ts';
import { matchObjects, type Pair } from '../../comparison/match-objects.ts';
import { visibleRasters } from '../../comparison/rasters.ts';
import { cachedRasters, comparingOn } from '../../comparison/similarity.ts';
import { countsOfFrame, type QualityCounts } from './quality-counts.ts';

export interface FoundConflict {
  readonly frame: number;
  readonly type: ConflictType;
  readonly severity: 'warning' | 'error';
  readonly annotation_ids: readonly AnnotationId[];
}

export interface FrameComparison {
  readonly conflicts: readonly FoundConflict[];
  readonly counts: QualityCounts;
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
): FrameComparison {
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

const withArea: ReadonlySet<string> = new Set(['rectangle', 'polygon', 'mask', 'ellipse']);

/** Objects that are mostly covered by others. Like CVAT, ignores the rotation of boxes and ellipses. */
function coveredObjects(
  objects: readonly ComparedObject[],
  size: ImageSize,
  { object_visibility_threshold: threshold }: QualityChoices,
): ComparedObject[] {
  const areas = objects.filter(({ type }) => withArea.has(type));
  const raster = cachedRasters(size);
  const upright = new Map(areas.map((object) => [{ ...object, rotation: 0 }, object]));
  const found = visibleRasters([...upright.keys()], size, raster);
  return [...found].toReversed().flatMap(([object, visible]) => {
    const [all, left] = [areaOfCounts(raster(object).counts), areaOfCounts(visible.counts)];
    return left < all && left / all < threshold ? (upright.get(object) ?? []) : [];
  });
}

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
}

export type ComparedFrames = readonly (readonly [frame: number, comparison: FrameComparison])[];

/** Runs in a worker thread, because masks of large images are counted pixel by pixel. */
export function compareQuality({ frames, labels, truth, own, choices }: CompareJob, run: JobRun): ComparedFrames {
  const wanted = objectsByFrame(truth.data, truth.jobId, labels);
  const found = objectsByFrame(own.data, own.jobId, labels);
  const labelIndex = new Map(labels.map(({ id }, index) => [id, index]));
  return frames.map(({ frame, width, height }, at) => {
    run.progress(at / frames.length);
    const terms = { size: { width, height }, choices, labelIndex };
    return [frame, compareFrame(frame, wanted(frame), found(frame), terms)] as const;
  });
}
