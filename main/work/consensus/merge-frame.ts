import { matchObjects, type Pair } from '../../comparison/match-objects.ts';
import type { ComparedObject } from '../../comparison/compared-object.ts';
import { similarity, type Comparing } from '../../comparison/similarity.ts';

export interface Member {
  readonly replica: number;
  readonly object: ComparedObject;
}

/** How objects of replicas are compared: on one frame, or tracks over all frames. */
export interface Likeness {
  readonly threshold: number;
  readonly similarity: (first: ComparedObject, second: ComparedObject) => number;
  /** The most similar pairs of two replicas. */
  readonly match: (ours: readonly ComparedObject[], theirs: readonly ComparedObject[]) => readonly Pair[];
}

export const likenessOn = (comparing: Comparing): Likeness => ({
  threshold: comparing.rules.iou_threshold,
  similarity: (first, second) => similarity(first, second, comparing),
  match: (ours, theirs) => matchObjects(ours, theirs, comparing).pairs,
});

export interface Agreed {
  readonly labelId: number;
  /** The object nearest to the others with this label. */
  readonly chosen: Member;
  readonly supporters: readonly Member[];
  /** Share of replicas with this label, times their mean similarity to the chosen object. */
  readonly score: number;
}

export interface MergedFrame {
  readonly agreed: readonly Agreed[];
  /** Objects dropped because too few replicas agree. */
  readonly left: number;
  /** Objects with two equally frequent labels: the label with the better fit is chosen. */
  readonly undecided: number;
}

/**
 * Clusters objects of replicas that are the same thing. All members of a cluster are similar, each is from another
 * replica, and the most similar pairs are joined first.
 */
function clustersOf(replicas: readonly (readonly ComparedObject[])[], likeness: Likeness): Member[][] {
  const members = replicas.flatMap((objects, replica) => objects.map((object): Member => ({ replica, object })));
  const clusters = new Map(members.map((member) => [member.object, [member]]));
  const edges = replicas.flatMap((ours, at) =>
    replicas.slice(at + 1).flatMap((theirs) => likeness.match(ours, theirs)),
  );
  for (const { truth, object } of edges.toSorted((a, b) => b.similarity - a.similarity)) {
    const [ours = [], theirs = []] = [clusters.get(truth), clusters.get(object)];
    const fit = (one: Member, other: Member): boolean => {
      const alike = one.replica === other.replica ? 0 : likeness.similarity(one.object, other.object);
      return alike > 0 && alike >= likeness.threshold;
    };
    if (ours === theirs || !ours.every((one) => theirs.every((other) => fit(one, other)))) continue;
    const joined = [...ours, ...theirs].toSorted((a, b) => a.replica - b.replica);
    for (const member of joined) clusters.set(member.object, joined);
  }
  return [...new Set(clusters.values())];
}

/** @param needed how many replicas must agree on an object and its label */
export function mergeFrame(
  replicas: readonly (readonly ComparedObject[])[],
  needed: number,
  likeness: Likeness,
): MergedFrame {
  const agreed: Agreed[] = [];
  let [left, undecided] = [0, 0];
  for (const cluster of clustersOf(replicas, likeness)) {
    const labels = [...Map.groupBy(cluster, ({ object }) => object.labelId)];
    const most = Math.max(...labels.map(([, own]) => own.length));
    if (most < needed) {
      left += 1;
      continue;
    }
    const candidates = labels
      .filter(([, own]) => own.length === most)
      .map(([labelId, supporters]) => ({ labelId, supporters, ...nearest(supporters, cluster, likeness) }));
    if (candidates.length > 1) undecided += 1;
    const best = candidates.reduce((first, next) => (next.toAll > first.toAll ? next : first));
    const alike = best.supporters.map((member) => likenessOf(best.chosen, member, likeness));
    const score = (most / replicas.length) * (alike.reduce((sum, one) => sum + one, 0) / most);
    agreed.push({ labelId: best.labelId, chosen: best.chosen, supporters: best.supporters, score });
  }
  return { agreed, left, undecided };
}

const likenessOf = (one: Member, other: Member, { similarity: between }: Likeness): number =>
  one === other ? 1 : between(one.object, other.object);

/** The supporter that is most similar to the others with its label; on a tie, to the entire cluster. */
function nearest(supporters: readonly Member[], cluster: readonly Member[], likeness: Likeness) {
  const to = (one: Member, all: readonly Member[]): number =>
    all.reduce((sum, other) => sum + likenessOf(one, other, likeness), 0);
  const rated = supporters.map((chosen) => ({ chosen, toOwn: to(chosen, supporters), toAll: to(chosen, cluster) }));
  const isNearer = (one: (typeof rated)[number], other: (typeof rated)[number]): boolean =>
    one.toOwn > other.toOwn || (one.toOwn === other.toOwn && one.toAll > other.toAll);
  return rated.reduce((first, next) => (isNearer(next, first) ? next : first));
}
