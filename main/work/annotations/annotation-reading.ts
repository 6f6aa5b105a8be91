import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { withoutMarks } from '../../../preload/contract/track-pieces.ts';
import type { AnnotationRepository, Wanted } from './annotation-repository.ts';
import type { LabelIndex } from './annotation-rules.ts';
import type { Target } from './annotation-targets.ts';
import { emptyData } from './annotation-writer.ts';
import { withAttributeDefaults } from './attribute-defaults.ts';
import { mergeJobs } from './merge-jobs.ts';
import type { SerialisedReads } from './serialised-reads.ts';

interface Dependencies {
  readonly annotations: AnnotationRepository;
  readonly serialised: SerialisedReads;
  readonly labelIndex: (target: Target) => LabelIndex;
}

/** What jobs and tasks have, as objects or as JSON that is ready to be sent. */
export function createAnnotationReading({ annotations, serialised, labelIndex }: Dependencies) {
  function readJson(target: Target, wanted: Wanted): string | Uint8Array {
    const jobIds = target.jobs.map(({ id }) => id);
    const name = `${target.name} ${wanted.frame ?? ''}-${wanted.to_frame ?? ''} ${wanted.without ?? ''}`;
    return serialised.read(name, jobIds, () => pieces(target, wanted));
  }

  /** As `read` gives it, as JSON: what one job has is written some shapes at a time, and never is in memory as objects. */
  function* pieces(target: Target, wanted: Wanted): Generator<string> {
    const [job, another] = target.jobs;
    const isPart = wanted.frame !== undefined || wanted.to_frame !== undefined;
    if (!job || another || isPart) return yield JSON.stringify(read(target, wanted));
    const index = labelIndex(target);
    const complete = (data: Partial<LabeledData>): LabeledData =>
      withAttributeDefaults({ ...emptyData(), ...data }, index);
    const tracks = wanted.without === 'tracks' ? [] : annotations.tracks.read(job.id).map(withoutMarks);
    const others = complete({ tags: annotations.tags.read(job.id), tracks });
    yield `{"version":${others.version},"tags":${JSON.stringify(others.tags)},"shapes":[`;
    let separator = '';
    for (const shapes of annotations.shapes.pieces(job.id)) {
      if (shapes.length === 0) continue;
      yield separator + JSON.stringify(complete({ shapes }).shapes).slice(1, -1);
      separator = ',';
    }
    yield `],"tracks":${JSON.stringify(others.tracks)},"intervals":${JSON.stringify(others.intervals)}}`;
  }

  function read(target: Target, wanted: Wanted): LabeledData {
    const { tags, shapes, tracks } = mergeJobs(target.jobs, (job) => annotations.read(job.id, wanted));
    const merged = { ...emptyData(), tags: [...tags], shapes: [...shapes], tracks: tracks.map(withoutMarks) };
    return withAttributeDefaults(merged, labelIndex(target));
  }

  return { read, readJson };
}
