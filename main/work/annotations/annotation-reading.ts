import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { withoutMarks } from '../../../preload/geometry/track-pieces.ts';
import type { AnnotationRepository, Wanted } from './annotation-repository.ts';
import type { LabelIndex } from './annotation-rules.ts';
import type { Target } from './annotation-targets.ts';
import { emptyData } from './annotation-writer.ts';
import { withAttributeDefaults } from './attribute-defaults.ts';
import { mergeJobs } from './merge-jobs.ts';
import type { SerialisedReads, WrittenJson } from './serialised-reads.ts';

interface Dependencies {
  readonly annotations: AnnotationRepository;
  readonly serialised: SerialisedReads;
  readonly labelIndex: (target: Target) => LabelIndex;
}

export function createAnnotationReading({ annotations, serialised, labelIndex }: Dependencies) {
  function readJson(target: Target, wanted: Wanted): WrittenJson {
    const jobIds = target.jobs.map(({ id }) => id);
    const name = `${target.name} ${wanted.frame ?? ''}-${wanted.to_frame ?? ''} ${wanted.without ?? ''}`;
    return serialised.read(name, jobIds, () => pieces(target, wanted));
  }

  /**
   * JSON of the result of `read`. Shapes are serialised in portions, so that they are never all in memory. Exception:
   * jobs that share frames must be compared first.
   */
  function* pieces(target: Target, wanted: Wanted): Generator<string> {
    const jobs = target.jobs.toSorted((a, b) => a.start_frame - b.start_frame);
    const isPart = wanted.frame !== undefined || wanted.to_frame !== undefined;
    if (isPart || jobs.some((job, index) => job.start_frame <= (jobs[index - 1]?.stop_frame ?? -1))) {
      return yield JSON.stringify(read(target, wanted));
    }
    const index = labelIndex(target);
    const complete = (data: Partial<LabeledData>): LabeledData =>
      withAttributeDefaults({ ...emptyData(), ...data }, index);
    const { tags, tracks } = mergeJobs(jobs, ({ id }) => ({
      tags: annotations.tags.read(id),
      shapes: [],
      tracks: wanted.without === 'tracks' ? [] : annotations.tracks.read(id),
    }));
    const others = complete({ tags: [...tags], tracks: tracks.map(withoutMarks) });
    yield `{"version":${others.version},"tags":${JSON.stringify(others.tags)},"shapes":[`;
    let separator = '';
    for (const { id } of jobs) {
      for (const shapes of annotations.shapes.pieces(id)) {
        if (shapes.length === 0) continue;
        yield separator + JSON.stringify(complete({ shapes }).shapes).slice(1, -1);
        separator = ',';
      }
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
