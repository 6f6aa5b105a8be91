import { filterFields } from '../../../preload/contract/object-filter/filter-fields.ts';
import { readFilter } from '../../../preload/contract/object-filter/filter-logic.ts';
import type { RequirementCalculation, RequirementType } from '../../../preload/contract/schema/quality-requirements.ts';
import type { ConflictType } from '../../../preload/contract/schema/quality.ts';
import { createMatch } from '../../../preload/geometry/filter-match.ts';
import type { ComparedLabel, ComparedObject, ImageSize } from '../../comparison/compared-object.ts';
import { directedLineSimilarity } from '../../comparison/line-similarity.ts';
import { matchObjects, type Pair } from '../../comparison/match-objects.ts';
import { comparingOn } from '../../comparison/similarity.ts';
import { mismatchedAttributes } from './compare-attributes.ts';
import { mismatchedGroups } from './compare-groups.ts';
import { coveredObjects } from './covered-objects.ts';
import type { FoundConflict } from './found-conflict.ts';
import { joined, type MatrixCells } from './quality-counts.ts';
import type { EffectiveRequirement } from './requirement-rules.ts';

export interface RequirementComparison {
  readonly conflicts: readonly FoundConflict[];
  readonly cells: MatrixCells;
  readonly calculation: RequirementCalculation;
}

const computed: RequirementCalculation = { status: 'computed', reason: null };
const notComputed = (reason: RequirementCalculation['reason']): RequirementCalculation => ({
  status: 'not_computed',
  reason,
});

type Objects = readonly ComparedObject[];

/** Labels of a requirement's confusion matrix: those of the elements for `skeleton_keypoint`. */
export const matrixLabels = (type: RequirementType | null, labels: readonly ComparedLabel[]) =>
  type === 'skeleton_keypoint'
    ? labels.flatMap(({ name, sublabels }) => sublabels.map((one) => ({ id: one.id, name: `${name}.${one.name}` })))
    : labels.map(({ id, name }) => ({ id, name }));

/** Compares the elements of skeletons as points. The points of a skeleton are one group. */
function keypoints(objects: Objects, labels: ReadonlyMap<number, ComparedLabel>): ComparedObject[] {
  const first = 1 + Math.max(0, ...objects.map(({ group }) => group));
  return objects.flatMap((object, index) =>
    object.elements.flatMap((element, at): ComparedObject[] => {
      const labelId = labels.get(object.labelId)?.sublabels[at]?.id;
      if (element === null || labelId === undefined) return [];
      const points = [element.x, element.y];
      const group = object.group === 0 ? first + index : object.group;
      const attributes = new Map([['occluded', !element.isVisible] as const]);
      return [{ ...object, type: 'points', labelId, points, group, attributes, elements: [] }];
    }),
  );
}

/** @returns a function that compares the objects of a frame by each of the requirements */
export function createRequirementComparison(
  requirements: readonly EffectiveRequirement[],
  labels: readonly ComparedLabel[],
): (frame: number, truths: Objects, objects: Objects, size: ImageSize) => RequirementComparison[] {
  const compare = requirements.map((requirement) => createComparison(requirement, labels));
  return (...given) => compare.map((one) => one(...given));
}

function createComparison(requirement: EffectiveRequirement, labels: readonly ComparedLabel[]) {
  const { type, choices, attributes } = requirement;
  const labelsById = new Map(labels.map((label) => [label.id, label]));
  const names = new Map(labels.flatMap((label) => label.attributes.map(({ id, name }) => [id, name] as const)));
  const index = new Map(matrixLabels(type, labels).map(({ id }, at) => [id, at]));
  const unmatched = index.size;
  const fields = filterFields(labels);
  const tests = requirement.filters.map((filter) =>
    createMatch(readFilter(JSON.parse(filter), fields), fields, labels),
  );
  const passes = ({ facts }: ComparedObject): boolean => facts === undefined || tests.every((test) => test(facts));
  const isOfType = (object: ComparedObject): boolean =>
    type === null || object.type === (type === 'skeleton_keypoint' ? 'skeleton' : type);
  const required = attributes.rules.filter(({ enabled }) => enabled).map(({ spec_id: id }) => id);
  const parts = (objects: Objects): Objects =>
    type === 'skeleton_keypoint' ? keypoints(objects, labelsById) : objects;

  /** The reason why a requirement is not computed on a frame; the same order as in CVAT. */
  function calculationOf(candidates: number, truths: Objects, objects: Objects): RequirementCalculation {
    if (candidates === 0) return notComputed('no_annotations');
    if (truths.length + objects.length === 0) return notComputed('filter_no_matches');
    const lacks = (side: Objects, id: number) => side.every((object) => !object.attributes.has(id));
    const isMissing = required.some((id) => lacks(truths, id) && lacks(objects, id));
    if (truths.length > 0 && objects.length > 0 && isMissing) return notComputed('required_attributes_missing');
    return computed;
  }

  function differs({ truth, object, similarity }: Pair, size: ImageSize): boolean {
    if (truth.type !== 'polyline' || !choices.compare_line_orientation) return false;
    const area = size.width * size.height;
    const directed = directedLineSimilarity(truth.points, object.points, area, choices.line_thickness);
    return similarity - directed > choices.line_orientation_threshold;
  }

  return (frame: number, allTruths: Objects, allObjects: Objects, size: ImageSize): RequirementComparison => {
    const [wanted, found] = [allTruths.filter(isOfType), allObjects.filter(isOfType)];
    const [truths, objects] = [parts(wanted.filter(passes)), parts(found.filter(passes))];
    const calculation = calculationOf(wanted.length + found.length, truths, objects);
    const matching = matchObjects(truths, objects, comparingOn(size, choices, [truths, objects]));
    const conflicts: FoundConflict[] = [];
    const tell = (type: ConflictType, ofWhom: Objects, attributeNames: readonly string[] = []) =>
      void conflicts.push({
        frame,
        type,
        severity: 'error',
        annotation_ids: ofWhom.map(({ id }) => id),
        attribute_names: attributeNames,
      });
    const at = ({ labelId }: ComparedObject): number => index.get(labelId) ?? unmatched;
    const cells: [number, number, number][] = [];
    const extra = (object: ComparedObject) => cells.push([at(object), unmatched, 1]);
    const missing = (object: ComparedObject) => cells.push([unmatched, at(object), 1]);
    for (const { object } of matching.missing) {
      tell('missing_annotation', [object]);
      missing(object);
    }
    for (const { object } of matching.extra) {
      tell('extra_annotation', [object]);
      extra(object);
    }
    const matched: Pair[] = [];
    for (const pair of matching.pairs) {
      const { truth, object } = pair;
      const isSameLabel = truth.labelId === object.labelId;
      const different = isSameLabel ? mismatchedAttributes(truth, object, attributes, names) : [];
      const isReversed = differs(pair, size);
      if (different.length > 0) tell('mismatching_attributes', [object, truth], different);
      if (isReversed) tell('mismatching_direction', [object, truth]);
      // In CVAT, objects with different attributes or directions do not match: they count as missing and extra.
      if (different.length > 0 || isReversed) {
        missing(truth);
        extra(object);
        continue;
      }
      if (!isSameLabel) tell('mismatching_label', [object, truth]);
      cells.push([at(object), at(truth), 1]);
      matched.push(pair);
    }
    if (choices.compare_groups) {
      const shapes = matched.filter(({ truth }) => truth.type !== 'tag');
      for (const { truth, object } of mismatchedGroups(shapes, truths, objects, choices.group_match_threshold))
        tell('mismatching_groups', [object, truth]);
    }
    if (choices.check_covered_annotations)
      for (const object of coveredObjects(objects, size, choices)) tell('covered_annotation', [object]);
    return { conflicts, cells: joined(cells), calculation };
  };
}
