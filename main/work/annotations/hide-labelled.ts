import type { LabelOwner } from '../labels/label-repository.ts';
import type { LabelRemoval } from '../labels/label-service.ts';
import type { AnnotationFeed } from './annotation-feed.ts';
import type { ReplacedAnnotations } from './replaced-annotations.ts';
import type { LabelledRepository } from './labelled-repository.ts';

/** Hides annotations whose labels are deleted, as a change that can be undone together with the labels. */
export const createHideLabelled =
  (
    replaced: Pick<ReplacedAnnotations, 'takeOut'>,
    labelled: LabelledRepository,
    news: Pick<AnnotationFeed, 'changed'>,
  ) =>
  ({ kind, id }: LabelOwner, labelIds: readonly number[], { labels, userId }: LabelRemoval): void => {
    const taken = replaced.takeOut({
      kind: 'label',
      place: { projectId: kind === 'project' ? id : null, taskId: kind === 'task' ? id : null, jobId: null },
      userId,
      detail: labels.map(({ name }) => name).join(', '),
      labels,
    });
    const jobIds = new Set<number>();
    const hiddenOf = (jobId: number): number => {
      jobIds.add(jobId);
      return taken.hiddenOf(jobId);
    };
    taken.end(labelled.hide({ kind, id }, labelIds, hiddenOf));
    for (const jobId of jobIds) news.changed({ jobId, userId, window: null }, null);
  };
