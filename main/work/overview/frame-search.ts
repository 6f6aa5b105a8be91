import { filterFields } from '../../../preload/contract/object-filter/filter-fields.ts';
import { readFilter } from '../../../preload/contract/object-filter/filter-logic.ts';
import { asksSize, createMatch, isSteady, type FilterObject } from '../../../preload/geometry/filter-match.ts';
import type { InterpolatedShape } from '../../../preload/geometry/interpolation.ts';
import { FilterError, type FilterGroup } from '../../../preload/contract/object-filter/object-filter.ts';
import type { FrameMatches, FrameSearch } from '../../../preload/contract/schema/finding.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Actor } from '../../users/access/actor.ts';
import { invalidField } from '../../platform/errors.ts';
import type { AnnotationRepository } from '../annotations/annotation-repository.ts';
import { indexLabels } from '../annotations/annotation-rules.ts';
import { withAttributeDefaults } from '../annotations/attribute-defaults.ts';
import { labelOwner } from '../tables/label-repository.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { OverviewRepository } from './overview-repository.ts';
import { createFrameCounts } from './frame-counts.ts';
import { createYielding, frameRanges } from './frame-ranges.ts';
import type { Shape, Tag } from '../../../preload/contract/schema/annotations.ts';
import { isVisible, readTrack, type TrackPiece } from '../../../preload/geometry/track-pieces.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

interface Dependencies extends Pick<WorkServiceDependencies, 'media' | 'labelRows'> {
  readonly access: { readonly job: (actor: Actor, id: number, action: 'view:annotations') => JobRow };
  readonly annotations: AnnotationRepository;
  readonly overview: OverviewRepository;
}

interface Question {
  readonly passes: (object: FilterObject) => boolean;
  /** True if either all frames of a track match or none. */
  readonly isSteady: boolean;
  readonly asksSize: boolean;
}

/** Objects read at once; more if one frame has more. */
const frameRange = 1000;

function questionOf(filter: FrameSearch['filter'], labels: readonly Label[]): Question | null {
  if (filter === null || filter === undefined) return null;
  const fields = filterFields(labels);
  let read: FilterGroup;
  try {
    read = readFilter(filter, fields);
  } catch (error) {
    throw error instanceof FilterError ? invalidField('filter', error.message) : error;
  }
  return { passes: createMatch(read, fields, labels), isSteady: isSteady(read), asksSize: asksSize(read) };
}

export function createFrameSearch(dependencies: Dependencies) {
  const { access, media, labelRows, annotations, overview } = dependencies;

  return {
    /** @throws AppError 400 for a filter that cannot be parsed, or one with names that the job's labels do not have */
    async search(actor: Actor, jobId: number, { filter }: FrameSearch, signal: AbortSignal): Promise<FrameMatches> {
      const job = access.job(actor, jobId, 'view:annotations');
      const labels = labelRows.list(labelOwner(job.project_id, job.task_id));
      const question = questionOf(filter, labels);
      const index = indexLabels(labels);
      const [first, last] = [job.start_frame, job.stop_frame];
      const deleted = new Set(media.deletedFrames(job.media_id, first, last));
      const found = createFrameCounts(first, last);
      const turns = createYielding();
      const turn = (): Promise<void> | undefined => {
        signal.throwIfAborted();
        return turns();
      };

      if (question === null) {
        for (const { frame, count } of overview.countsByFrame(jobId)) found.add(frame, frame, count);
      } else {
        for (const [from, to] of frameRanges(overview.countsByFrame(jobId), frameRange)) {
          await turn();
          const shapes = question.asksSize
            ? annotations.shapes.readFrames(jobId, from, to)
            : overview.shapesWithoutPoints(jobId, from, to);
          const tags = annotations.tags.readFrames(jobId, from, to);
          withAttributeDefaults({ version: 0, tags, shapes, tracks: [], intervals: [] }, index);
          for (const tag of tags) if (question.passes(tagFacts(tag))) found.add(tag.frame);
          for (const shape of shapes) if (question.passes(shapeFacts(shape))) found.add(shape.frame);
        }
      }

      const points = question !== null && !question.isSteady;
      for (const tracks of annotations.tracks.pieces(jobId, { points })) {
        await turn();
        withAttributeDefaults({ version: 0, tags: [], shapes: [], tracks, intervals: [] }, index);
        for (const track of tracks) {
          const seen = readTrack(track, { first, last, deleted });
          if (question === null || question.isSteady) {
            for (const run of seen?.runs() ?? []) {
              if (question !== null && !question.passes(trackFacts(track, run.shape))) break;
              found.add(run.first, run.last);
            }
            continue;
          }
          for (const shape of seen?.shapes() ?? []) {
            if (isVisible(shape) && question.passes(trackFacts(track, shape))) found.add(shape.frame);
            await turn();
          }
        }
      }

      const { frames, counts } = found.counted(deleted);
      return { frames, counts, total: counts.reduce((sum, count) => sum + count, 0) };
    },
  };
}

const common = ({ id, label_id, frame, group, source, attributes }: Tag | Shape) => ({
  serverId: id ?? null,
  labelId: label_id,
  frame,
  group: group ?? 0,
  source,
  attributes,
});

/** Properties that filters use, from stored objects. Must equal those on the screen. */
const tagFacts = (tag: Tag): FilterObject => ({ ...common(tag), type: 'tag', shape: null });

const shapeFacts = (shape: Shape): FilterObject => {
  const { type, points, rotation, occluded, score, z_order: zOrder, elements } = shape;
  return { ...common(shape), type: 'shape', shape: { type, points, rotation, occluded, score, zOrder, elements } };
};

/** A track on one frame. */
function trackFacts(track: TrackPiece, shown: InterpolatedShape): FilterObject {
  const { frame, type, points, rotation, occluded, z_order: zOrder, elements, attributes } = shown;
  return {
    type: 'track',
    serverId: track.id ?? null,
    labelId: track.label_id,
    frame,
    group: track.group ?? 0,
    source: track.source,
    attributes: [...track.attributes, ...attributes],
    shape: { type, points, rotation, occluded, zOrder, score: null, elements },
  };
}
