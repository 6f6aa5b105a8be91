import type { ComparedObject } from '../../comparison/compared-object.ts';
import type { Pair } from '../../comparison/match-objects.ts';
import { groupsOf } from '../../comparison/object-groups.ts';
import { pairOptimally } from '../../comparison/assignment.ts';

type Group = readonly ComparedObject[];

const byMember = (groups: readonly Group[]): ReadonlyMap<ComparedObject, Group> =>
  new Map(groups.flatMap((group) => group.map((member) => [member, group] as const)));

/**
 * Returns matched shapes whose groups do not match. Groups are matched by their share of matched members; an object
 * without a group is a group of one.
 */
export function mismatchedGroups(
  pairs: readonly Pair[],
  truths: readonly ComparedObject[],
  objects: readonly ComparedObject[],
  threshold: number,
): Pair[] {
  const isShape = ({ type }: ComparedObject): boolean => type !== 'tag';
  const wantedOf = byMember(groupsOf(truths.filter(isShape)));
  const foundOf = byMember(groupsOf(objects.filter(isShape)));
  // A ground-truth object in several pairs counts in the last one, as in CVAT.
  const partners = new Map(pairs.map(({ truth, object }) => [truth, object]));
  const shared = new Map<Group, Map<Group, number>>();
  for (const [truth, object] of partners) {
    const [wanted, found] = [wantedOf.get(truth), foundOf.get(object)];
    if (!wanted || !found) continue;
    const counts = shared.get(wanted) ?? new Map<Group, number>();
    shared.set(wanted, counts.set(found, (counts.get(found) ?? 0) + 1));
  }
  // Two matched objects that are both groups of one always match as groups.
  const open = [...shared].filter(([wanted, counts]) => wanted.length > 1 || [...counts.keys()].some(isSeveral));
  const rows = open.map(([wanted]) => wanted);
  const columns = [...new Set(open.flatMap(([, counts]) => [...counts.keys()]))];
  const at = (row: number, column: number): number => {
    const [wanted, found] = [rows[row]!, columns[column]!];
    const both = shared.get(wanted)?.get(found) ?? 0;
    return both / (wanted.length + found.length - both);
  };
  const matched = new Map(
    pairOptimally(rows.length, columns.length, at, threshold).map(([row, column]) => [columns[column]!, rows[row]!]),
  );
  return pairs.filter(({ truth, object }) => {
    const [wanted, found] = [wantedOf.get(truth), foundOf.get(object)];
    if (!wanted || !found || (wanted.length === 1 && found.length === 1 && partners.get(truth) === object))
      return false;
    return (wanted.length === 1 && found.length > 1) || matched.get(found) !== wanted;
  });
}

const isSeveral = (group: Group): boolean => group.length > 1;
