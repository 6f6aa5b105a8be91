import type { AttributeValue, LabeledData, Shape, Tag } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { Store } from '../../db/store.ts';
import { portionsOf } from '../../platform/portions.ts';
import type { ImageSize } from '../../comparison/compared-object.ts';
import { objectsByFrame } from '../../comparison/frame-objects.ts';
import { comparingOn } from '../../comparison/similarity.ts';
import { createAnnotationRepository } from '../annotations/annotation-repository.ts';
import { emptyData } from '../annotations/annotation-writer.ts';
import { readJobsData } from '../annotations/read-job-data.ts';
import { likenessOn, mergeFrame, type Agreed } from './merge-frame.ts';
import { asMerged, createTrackMerge } from './merge-tracks.ts';

interface Replica {
  readonly jobId: number;
  readonly data: LabeledData;
}

interface MergedReplicas {
  readonly data: LabeledData;
  readonly left: number;
  readonly undecided: number;
}

export interface MergeReplicas {
  readonly databaseFile: string;
  readonly frames: readonly (ImageSize & { readonly frame: number })[];
  /** Jobs of the replicas. */
  readonly jobIds: readonly number[];
  /** A pending set, which receives the merged objects. */
  readonly setId: number;
  readonly labels: readonly Label[];
  readonly choices: QualityChoices;
  readonly needed: number;
}

/** Numbers of objects that were merged, dropped, and got their label by a tie. */
export interface MergeCounts {
  readonly objects: number;
  readonly left: number;
  readonly undecided: number;
}

export const readReplicas = (databaseFile: string, jobIds: readonly number[], labels: readonly Label[]): Replica[] =>
  readJobsData(databaseFile, jobIds, labels).map((data, at) => ({ jobId: jobIds[at]!, data }));

/**
 * Reads the replicas, merges them, and writes the merged objects. Runs in a worker thread, because masks of large images
 * are counted pixel by pixel.
 */
export function mergeReplicas(job: MergeReplicas, run: JobRun): MergeCounts {
  const { databaseFile, jobIds, labels, setId } = job;
  const { data, ...counts } = mergedOf(job, readReplicas(databaseFile, jobIds, labels), run);
  const database = new Store(databaseFile, { turns: run.turns });
  try {
    const { tags, shapes, tracks } = createAnnotationRepository(database);
    const put = <Item>(items: readonly Item[], insert: (setId: number, item: Item) => unknown): void => {
      for (const some of portionsOf(items)) {
        run.checkCancelled();
        database.write(() => some.forEach((item) => insert(setId, item)));
      }
    };
    put(data.tags, tags.insert);
    put(data.shapes, shapes.insert);
    put(data.tracks, tracks.insert);
  } finally {
    database.close();
  }
  return { objects: data.tags.length + data.shapes.length + data.tracks.length, ...counts };
}

function mergedOf(
  { frames, labels, choices, needed }: MergeReplicas,
  replicas: readonly Replica[],
  run: JobRun,
): MergedReplicas {
  const merged = emptyData();
  let [left, undecided] = [0, 0];
  const objectsOf = replicas.map(({ data, jobId }) => objectsByFrame(data, jobId, labels, { cuboids: true }));
  const shapesOf = replicas.map(({ data }) => new Map(data.shapes.map((shape) => [shape.id, shape])));
  const tagsOf = replicas.map(({ data }) => Map.groupBy(data.tags, ({ frame }) => frame));
  const groups = new Map<string, number>();
  const tracks = createTrackMerge(replicas.length, choices.iou_threshold);
  for (const [at, { frame, ...size }] of frames.entries()) {
    run.progress(at / frames.length);
    const drawn = objectsOf.map((on) => on(frame).filter(({ type }) => type !== 'tag'));
    const comparing = comparingOn(size, choices);
    const ofType = (kind: 'shape' | 'track') => drawn.map((all) => all.filter(({ id }) => id.type === kind));
    tracks.add(frame, comparing, ofType('track'));
    const found = mergeFrame(ofType('shape'), needed, likenessOn(comparing));
    left += found.left;
    undecided += found.undecided;
    for (const one of found.agreed) {
      const shape = mergedShape(one, shapesOf, groups);
      if (shape) merged.shapes.push(shape);
    }
    const votes = tagsOf.map((tags) => onePerLabel(tags.get(frame) ?? []));
    for (const [, tags] of Map.groupBy(votes.flat(), (tag) => tag.label_id)) {
      const [first] = tags;
      if (first === undefined || tags.length < needed) left += 1;
      else {
        const attributes = votedValues(first.attributes, tags);
        merged.tags.push({ frame, label_id: first.label_id, group: 0, source: 'consensus', attributes });
      }
    }
  }
  const found = tracks.merge(needed);
  for (const { labelId, chosen, supporters } of found.agreed) {
    const drawn = ({ replica, object }: (typeof supporters)[number]) =>
      replicas[replica]?.data.tracks.find(({ id }) => id === object.id.obj_id);
    const own = drawn(chosen);
    if (!own) continue;
    const all = supporters.flatMap((member) => drawn(member) ?? []);
    const attributes = votedValues(own.attributes, all);
    merged.tracks.push(asMerged(own, { label_id: labelId, attributes, group: 0 }));
  }
  return { data: merged, left: left + found.left, undecided: undecided + found.undecided };
}

const onePerLabel = (tags: readonly Tag[]): Tag[] => [...new Map(tags.map((tag) => [tag.label_id, tag])).values()];

/** Returns the most frequent value of each attribute; on a tie, the chosen object's value. */
function votedValues(
  chosen: readonly AttributeValue[],
  all: readonly { readonly attributes: readonly AttributeValue[] }[],
): AttributeValue[] {
  return chosen.map(({ spec_id: id, value: own }) => {
    const given = all.flatMap(({ attributes }) => attributes.find(({ spec_id }) => spec_id === id)?.value ?? []);
    const counts = [...Map.groupBy(given, (value) => value)].map(([value, votes]) => ({ value, votes: votes.length }));
    const most = Math.max(0, ...counts.map(({ votes }) => votes));
    const leading = counts.filter(({ votes }) => votes === most).map(({ value }) => value);
    return { spec_id: id, value: leading.includes(own) ? own : (leading[0] ?? own) };
  });
}

/** Objects that were grouped in their source replica stay grouped. */
function mergedShape(
  { labelId, chosen, supporters, score }: Agreed,
  shapesOf: readonly ReadonlyMap<number | undefined, Shape>[],
  groups: Map<string, number>,
): Shape | null {
  const drawn = ({ replica, object }: (typeof supporters)[number]) => shapesOf[replica]?.get(object.id.obj_id);
  const own = drawn(chosen);
  if (own === undefined) return null;
  const all = supporters.flatMap((member) => drawn(member) ?? []);
  const occluded = all.filter((shape) => shape.occluded).length * 2;
  const key = `${chosen.replica}/${own.group}`;
  if ((own.group ?? 0) !== 0 && !groups.has(key)) groups.set(key, groups.size + 1);
  const { id: _id, ...plain } = own;
  return {
    ...plain,
    label_id: labelId,
    group: groups.get(key) ?? 0,
    source: 'consensus',
    score: Math.min(1, score),
    occluded: occluded === all.length ? own.occluded : occluded > all.length,
    z_order: Math.max(...all.map((shape) => shape.z_order)),
    attributes: votedValues(own.attributes, all),
    elements: own.elements.map(({ id: _element, ...element }) => ({ ...element, source: 'consensus' as const })),
  };
}
