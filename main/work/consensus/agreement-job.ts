import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import type { ComparedObject, ImageSize } from '../../comparison/compared-object.ts';
import { objectsByFrame } from '../../comparison/frame-objects.ts';
import { matchObjects } from '../../comparison/match-objects.ts';
import { comparingOn, type Comparing } from '../../comparison/similarity.ts';
import { readReplicas } from './merge-replicas.ts';

export interface AgreementJob {
  readonly frames: readonly (ImageSize & { readonly frame: number })[];
  readonly databaseFile: string;
  /** Jobs of the replicas. */
  readonly jobIds: readonly number[];
  readonly labels: readonly Label[];
  readonly choices: QualityChoices;
}

export interface ReplicaPair {
  readonly first: number;
  readonly second: number;
  readonly objectsFirst: number;
  readonly objectsSecond: number;
  readonly matched: number;
  readonly agreed: number;
  /** Matched objects, counted by the label each replica gave them. */
  readonly labels: readonly (readonly [first: number, second: number, count: number])[];
  readonly differences: readonly { readonly frame: number; readonly count: number }[];
}

/** Runs in a worker thread, because masks of large images are counted pixel by pixel. */
export function measureAgreement(
  { frames, databaseFile, jobIds, labels, choices }: AgreementJob,
  run: JobRun,
): ReplicaPair[] {
  const replicas = readReplicas(databaseFile, jobIds, labels);
  const pairs = replicas.flatMap((_, first) =>
    replicas.slice(first + 1).map((_other, offset) => createPairCount(first, first + 1 + offset)),
  );
  const objectsOf = replicas.map(({ data, jobId }) => objectsByFrame(data, jobId, labels));
  for (const [at, { frame, ...size }] of frames.entries()) {
    run.progress(at / frames.length);
    const comparing = comparingOn(size, choices);
    const objects = objectsOf.map((on) => on(frame));
    for (const pair of pairs) pair.add(frame, objects[pair.first] ?? [], objects[pair.second] ?? [], comparing);
  }
  return pairs.map((pair) => pair.count());
}

function createPairCount(first: number, second: number) {
  let [objectsFirst, objectsSecond, matched, agreed] = [0, 0, 0, 0];
  const labels = new Map<string, [number, number, number]>();
  const differences: { frame: number; count: number }[] = [];
  return {
    first,
    second,
    add(frame: number, ours: readonly ComparedObject[], theirs: readonly ComparedObject[], comparing: Comparing): void {
      const pairs = pairsOf(ours, theirs, comparing);
      const same = pairs.filter(([one, other]) => one.labelId === other.labelId).length;
      objectsFirst += ours.length;
      objectsSecond += theirs.length;
      matched += pairs.length;
      agreed += same;
      for (const [{ labelId: one }, { labelId: other }] of pairs) {
        const known = labels.get(`${one}/${other}`) ?? [one, other, 0];
        labels.set(`${one}/${other}`, [one, other, known[2] + 1]);
      }
      const count = ours.length + theirs.length - pairs.length - same;
      if (count > 0) differences.push({ frame, count });
    },
    count: (): ReplicaPair => ({
      first,
      second,
      objectsFirst,
      objectsSecond,
      matched,
      agreed,
      labels: [...labels.values()],
      differences,
    }),
  };
}

/**
 * Matches objects. Tags match if their labels are equal. If each replica has exactly one tag on the frame, these match
 * with different labels.
 */
function pairsOf(
  ours: readonly ComparedObject[],
  theirs: readonly ComparedObject[],
  comparing: Comparing,
): (readonly [ComparedObject, ComparedObject])[] {
  const isTag = ({ type }: ComparedObject): boolean => type === 'tag';
  const found = matchObjects(ours, theirs, comparing).pairs.flatMap(({ truth, object }) =>
    isTag(truth) && truth.labelId !== object.labelId ? [] : [[truth, object] as const],
  );
  const [[tag, ...more], [other, ...others]] = [ours.filter(isTag), theirs.filter(isTag)];
  const areAlone = tag && other && more.length === 0 && others.length === 0;
  return areAlone && tag.labelId !== other.labelId ? [...found, [tag, other]] : found;
}
