import { matchObjects } from '../quality/match-objects.ts';
import type { ComparedObject } from '../quality/compared-object.ts';
import { similarity, type Comparing } from '../quality/similarity.ts';

/** An object of one replica. */
export interface Member {
  /** Place among the replicas. */
  readonly replica: number;
  readonly object: ComparedObject;
}

/** What several replicas agree on. */
export interface Agreed {
  readonly labelId: number;
  /** The one that is nearest to the others with this label. */
  readonly chosen: Member;
  /** All with this label, the chosen one among them. */
  readonly supporters: readonly Member[];
  /** The share of replicas with this label, times how alike theirs are to the chosen one. */
  readonly score: number;
}

export interface MergedFrame {
  readonly agreed: readonly Agreed[];
  /** Objects that too few agree on. */
  readonly left: number;
  /** Objects whose label as many replicas gave as another: that of the better fit counts. */
  readonly undecided: number;
}

/**
 * Groups objects of replicas that are the same thing: all of a group are alike, each is of another replica, and what is
 * most alike comes together first.
 */
function clustersOf(replicas: readonly (readonly ComparedObject[])[], comparing: Comparing): Member[][] {
  const members = replicas.flatMap((objects, replica) => objects.map((object): Member => ({ replica, object })));
  const clusters = new Map(members.map((member) => [member.object, [member]]));
  const edges = replicas.flatMap((ours, at) =>
    replicas.slice(at + 1).flatMap((theirs) => matchObjects(ours, theirs, comparing).pairs),
  );
  for (const { truth, object } of edges.toSorted((a, b) => b.similarity - a.similarity)) {
    const [ours = [], theirs = []] = [clusters.get(truth), clusters.get(object)];
    const fit = (one: Member, other: Member): boolean => {
      const alike = one.replica === other.replica ? 0 : similarity(one.object, other.object, comparing);
      return alike > 0 && alike >= comparing.choices.iou_threshold;
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
  comparing: Comparing,
): MergedFrame {
  const agreed: Agreed[] = [];
  let [left, undecided] = [0, 0];
  for (const cluster of clustersOf(replicas, comparing)) {
    const labels = [...Map.groupBy(cluster, ({ object }) => object.labelId)];
    const most = Math.max(...labels.map(([, own]) => own.length));
    if (most < needed) {
      left += 1;
      continue;
    }
    const candidates = labels
      .filter(([, own]) => own.length === most)
      .map(([labelId, supporters]) => ({ labelId, supporters, ...nearest(supporters, cluster, comparing) }));
    if (candidates.length > 1) undecided += 1;
    const best = candidates.reduce((first, next) => (next.toAll > first.toAll ? next : first));
    const alike = best.supporters.map((member) => likeness(best.chosen, member, comparing));
    const score = (most / replicas.length) * (alike.reduce((sum, one) => sum + one, 0) / most);
    agreed.push({ labelId: best.labelId, chosen: best.chosen, supporters: best.supporters, score });
  }
  return { agreed, left, undecided };
}

const likeness = (one: Member, other: Member, comparing: Comparing): number =>
  one === other ? 1 : similarity(one.object, other.object, comparing);

/** The supporter that is most alike to those with its label; of two such, the one most alike to the whole group. */
function nearest(supporters: readonly Member[], cluster: readonly Member[], comparing: Comparing) {
  const to = (one: Member, all: readonly Member[]): number =>
    all.reduce((sum, other) => sum + likeness(one, other, comparing), 0);
  const rated = supporters.map((chosen) => ({ chosen, toOwn: to(chosen, supporters), toAll: to(chosen, cluster) }));
  const isNearer = (one: (typeof rated)[number], other: (typeof rated)[number]): boolean =>
    one.toOwn > other.toOwn || (one.toOwn === other.toOwn && one.toAll > other.toAll);
  return rated.reduce((first, next) => (isNearer(next, first) ? next : first));
}
