import type { AnnotationId, ConflictType, QualityChoices } from '../../../preload/contract/schema/quality.ts';
import type { ComparedObject, ImageSize } from './compared-object.ts';
import { matchObjects, type Pair } from './match-objects.ts';
import { countPixels, pixelsOf, visiblePixels, type Pixels } from './pixels.ts';
import { gainOfTurning, kindOf } from './similarity.ts';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { objectsByFrame } from './frame-objects.ts';

export interface FoundConflict {
  readonly frame: number;
  readonly type: ConflictType;
  readonly severity: 'warning' | 'error';
  readonly annotation_ids: readonly AnnotationId[];
}

export interface FrameCounts {
  readonly valid: number;
  readonly truths: number;
  readonly objects: number;
  readonly total: number;
}

export interface FrameComparison {
  readonly conflicts: readonly FoundConflict[];
  readonly counts: FrameCounts;
}

const errors: ReadonlySet<ConflictType> = new Set(['missing_annotation', 'extra_annotation', 'mismatching_label']);

/** Compares what stands on one frame with what should. */
export function compareFrame(
  frame: number,
  truths: readonly ComparedObject[],
  objects: readonly ComparedObject[],
  { size, choices }: { readonly size: ImageSize; readonly choices: QualityChoices },
): FrameComparison {
  const whole = new Map([...truths, ...objects].map((object) => [object, pixelsOf(object, size)]));
  const isArea = (object: ComparedObject) => kindOf(object) === 'area';
  const seen = visiblePixels(objects.filter(isArea), whole);
  const seenTruths = visiblePixels(truths.filter(isArea), whole);
  const pixels = (object: ComparedObject): Pixels =>
    (choices.panoptic_comparison ? (seen.get(object) ?? seenTruths.get(object)) : undefined) ?? whole.get(object) ?? [];

  const pairs = matchObjects(truths, objects, { size, choices, pixels });
  const matched = pairs.filter(({ truth, object }) => truth.labelId === object.labelId);
  const conflicts: FoundConflict[] = [];
  const tell = (type: ConflictType, ...ofWhom: ComparedObject[]): void =>
    void conflicts.push({
      frame,
      type,
      severity: errors.has(type) ? 'error' : 'warning',
      annotation_ids: ofWhom.map(({ id }) => id),
    });
  const paired = new Set(pairs.flatMap(({ truth, object }) => [truth, object]));
  for (const truth of truths) if (!paired.has(truth)) tell('missing_annotation', truth);
  for (const object of objects) if (!paired.has(object)) tell('extra_annotation', object);
  for (const { truth, object } of pairs) if (truth.labelId !== object.labelId) tell('mismatching_label', object, truth);
  for (const pair of matched) tellOfPair(pair, tell, { size, choices });
  if (choices.compare_groups) tellOfGroups(matched, truths, objects, choices, tell);
  if (choices.check_covered_annotations) {
    for (const [object, visible] of seen) {
      const all = countPixels(whole.get(object) ?? []);
      if (all > 0 && countPixels(visible) / all < choices.object_visibility_threshold)
        tell('covered_annotation', object);
    }
  }
  return { conflicts, counts: countsOf(truths.length, objects.length, pairs.length, matched.length, choices) };
}

function countsOf(
  truths: number,
  objects: number,
  pairs: number,
  matched: number,
  { empty_is_annotated: emptyCounts }: QualityChoices,
): FrameCounts {
  if (emptyCounts && truths === 0 && objects === 0) return { valid: 1, truths: 1, objects: 1, total: 1 };
  return { valid: matched, truths, objects, total: truths + objects - pairs };
}

type Tell = (type: ConflictType, ...ofWhom: ComparedObject[]) => void;

function tellOfPair(
  { truth, object, similarity: value }: Pair,
  tell: Tell,
  { size, choices }: { readonly size: ImageSize; readonly choices: QualityChoices },
): void {
  if (value < choices.low_overlap_threshold) tell('low_overlap', object, truth);
  if (
    truth.type === 'polyline' &&
    choices.compare_line_orientation &&
    gainOfTurning(truth.points, object.points, size, choices) > choices.line_orientation_threshold
  ) {
    tell('mismatching_direction', object, truth);
  }
  const names = new Set([...truth.attributes.keys(), ...object.attributes.keys()]);
  const differs = [...names].some((name) => truth.attributes.get(name) !== object.attributes.get(name));
  if (choices.compare_attributes && differs) tell('mismatching_attributes', object, truth);
}

/** Members of a group; who is in none is one alone. */
const membersOf = (one: ComparedObject, all: readonly ComparedObject[]): readonly ComparedObject[] =>
  one.group === 0 ? [one] : all.filter(({ group }) => group === one.group);

function tellOfGroups(
  matched: readonly Pair[],
  truths: readonly ComparedObject[],
  objects: readonly ComparedObject[],
  { group_match_threshold: threshold }: QualityChoices,
  tell: Tell,
): void {
  for (const { truth, object } of matched) {
    if (truth.group === 0 && object.group === 0) continue;
    const ours = new Set(membersOf(truth, truths));
    const theirs = new Set(membersOf(object, objects));
    const both = matched.filter((pair) => ours.has(pair.truth) && theirs.has(pair.object)).length;
    if (both / (ours.size + theirs.size - both) < threshold) tell('mismatching_groups', object, truth);
  }
}

interface Side {
  readonly jobId: number;
  readonly data: LabeledData;
}

/** What a job says, and what it should say, on the frames that both have. */
export interface CompareJob {
  readonly frames: readonly (ImageSize & { readonly frame: number })[];
  readonly truth: Side;
  readonly own: Side;
  readonly choices: QualityChoices;
}

export type ComparedFrames = readonly (readonly [frame: number, comparison: FrameComparison])[];

/** In a worker thread: masks of large pictures are counted pixel by pixel. */
export function compareQuality({ frames, truth, own, choices }: CompareJob, run: JobRun): ComparedFrames {
  const wanted = objectsByFrame(truth.data, truth.jobId);
  const found = objectsByFrame(own.data, own.jobId);
  return frames.map(({ frame, width, height }, at) => {
    run.progress(at / frames.length);
    return [frame, compareFrame(frame, wanted(frame), found(frame), { size: { width, height }, choices })] as const;
  });
}
