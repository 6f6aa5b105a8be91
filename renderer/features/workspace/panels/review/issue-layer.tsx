import { IconCheck, IconRotate2, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useText } from '../../../../i18n/index.ts';
import { CommentView, ReplyForm, useIssueActions } from '../../../../shared/issues/comments.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Group } from '../../../../ui/kit.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { boxOfIssue } from '../../model/review/issue-places.ts';
import { boxText, usePlaces } from './use-places.ts';
import classes from './review.module.css';
import type { IssueDraft } from '../../model/review/review-controller.ts';
import { useThreads, useReview } from './use-review.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { boundingBox } from '../../../../../preload/geometry/geometry.ts';
import { shapeAtFrame } from '../../../../../preload/geometry/interpolation.ts';
import type { LabeledData } from '../../../../../preload/contract/schema/annotations.ts';
import type { AnnotationId, QualityConflict } from '../../../../../preload/contract/schema/quality.ts';
import { qualityQueries } from '../../../../api/quality-queries.ts';
import type { Box } from '../../../../canvas/types.ts';

/** Box of a conflict's object. Covers ground-truth objects too, which the job does not show. */
function boxOf({ obj_id: id, type }: AnnotationId, data: Pick<LabeledData, 'shapes' | 'tracks'>, frame: number) {
  const track = type === 'track' ? data.tracks.find((one) => one.id === id) : undefined;
  const seen = track ? shapeAtFrame(track, frame) : data.shapes.find((one) => one.id === id);
  if (type === 'tag' || !seen) return null;
  const { type: kind, points, rotation, elements } = seen;
  return boundingBox({
    type: kind,
    points,
    rotation,
    elements: elements.map(({ type: own, points: at, outside }) => ({ type: own, points: at, outside })),
  });
}

interface ConflictMark {
  readonly conflict: QualityConflict;
  readonly box: Box;
  readonly isTruth: boolean;
}

/** Boxes of the frame's conflicts, while shown. */
function useConflictMarks(isShown: boolean): readonly ConflictMark[] {
  const { job } = useSession();
  const frame = useAnnotate((state) => (isShown ? state.frame : 0));
  const found = useQuery({ ...qualityQueries.ofJob(job.id), enabled: isShown, retry: false }).data;
  const here = (isShown ? (found?.conflicts ?? []) : []).filter((conflict) => conflict.frame === frame);
  const jobs = [...new Set(here.flatMap(({ annotation_ids: ids }) => ids.map((one) => one.job_id)))];
  // Without permission to read the ground truth there are no marks; the list still shows the conflicts.
  const data = useQueries({ queries: jobs.map((id) => qualityQueries.objects(id, frame)) });
  return here.flatMap((conflict) =>
    conflict.annotation_ids.flatMap((annotation) => {
      const own = data[jobs.indexOf(annotation.job_id)]?.data;
      const box: Box | null = own === undefined ? null : boxOf(annotation, own, frame);
      return box === null ? [] : [{ conflict, box, isTruth: annotation.job_id !== job.id }];
    }),
  );
}

/** Solid lines around objects of the job, dotted lines around ground truth. */
function ConflictMarks({ marks }: { readonly marks: readonly ConflictMark[] }) {
  const t = useText();
  const { review } = useSession();
  const chosen = useReview((state) => state.conflict);
  return marks.map(({ conflict, box, isTruth }, index) => {
    const isFirst = marks.findIndex((mark) => mark.conflict.id === conflict.id) === index;
    return (
      <div
        key={`${conflict.id} ${String(isTruth)}`}
        className={classes.region}
        data-box={boxText(box)}
        data-conflict={conflict.severity}
        data-truth={isTruth || undefined}
        data-chosen={conflict.id === chosen || undefined}
      >
        {isFirst && (
          <button
            type="button"
            className={classes.conflict}
            data-testid="conflict-mark"
            aria-pressed={conflict.id === chosen}
            onClick={() => void review.lookAt(conflict)}
          >
            {t(`quality.kinds.${conflict.type}`)}
          </button>
        )}
      </div>
    );
  });
}

const Thread = ({ id }: { readonly id: number }) => {
  const t = useText();
  const { review } = useSession();
  const { all, commentsOf, numberOf } = useThreads();
  const actions = useIssueActions();
  const issue = all.find((one) => one.id === id);
  if (issue === undefined) return null;
  const close = (): void => review.state.setState({ chosen: null });
  return (
    <section
      className={classes.card}
      data-box={boxText(boxOfIssue(issue))}
      data-card
      aria-label={t('modes.review.thread', { number: numberOf(id) })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <Group component="header" gap={4} wrap="nowrap" fz="sm" fw={600}>
        <span>{t('modes.review.thread', { number: numberOf(id) })}</span>
        <span style={{ flex: 1 }} />
        <IconButton
          label={t(issue.resolved ? 'issues.reopen' : 'issues.resolve')}
          icon={issue.resolved ? <IconRotate2 size={16} /> : <IconCheck size={16} />}
          onClick={() => void actions.resolve(id, !issue.resolved)}
        />
        <IconButton label={t('common.close')} icon={<IconX size={16} />} onClick={close} />
      </Group>
      <div className={classes.comments}>
        {commentsOf(id).map((comment, index) => (
          <CommentView
            key={comment.id}
            comment={comment}
            onEdit={(message) => actions.edit(comment.id, message)}
            onRemove={index === 0 ? undefined : () => void actions.removeComment(comment.id)}
          />
        ))}
      </div>
      <ReplyForm onReply={(message) => actions.reply(id, message)} />
    </section>
  );
};

const Draft = () => {
  const draft = useReview((state) => state.draft);
  return draft === null ? null : <DraftForm key={boxText(draft.box)} draft={draft} />;
};

const DraftForm = ({ draft }: { readonly draft: IssueDraft }) => {
  const t = useText();
  const { review } = useSession();
  const form = useRef<HTMLElement>(null);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  return (
    <>
      <div className={classes.region} data-box={boxText(draft.box)} data-chosen />
      <section
        ref={form}
        className={classes.card}
        data-box={boxText(draft.box)}
        data-card
        aria-label={t('modes.review.new')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') review.state.setState({ draft: null });
        }}
      >
        <Group component="header" gap={4} wrap="nowrap" fz="sm" fw={600}>
          <span>{t('modes.review.what')}</span>
          <span style={{ flex: 1 }} />
          <IconButton
            label={t('common.cancel')}
            icon={<IconX size={16} />}
            onClick={() => review.state.setState({ draft: null })}
          />
        </Group>
        <ReplyForm
          label={t('modes.review.what')}
          placeholder={t('modes.review.whatHint')}
          start={draft.message}
          onReply={(message) => review.open(draft.frame, draft.box, message)}
        />
      </section>
    </>
  );
};

/** Issues of the frame in every mode; the open one shows its thread. */
export function IssueLayer() {
  const t = useText();
  const { review } = useSession();
  const layer = usePlaces();
  const isReview = useAnnotate((state) => state.mode === 'review');
  const marks = useConflictMarks(isReview);
  const chosen = useReview((state) => state.chosen);
  const showResolved = useReview((state) => state.showResolved);
  const { all, numberOf } = useThreads();
  const frame = useAnnotate((state) => (all.length > 0 ? state.frame : 0));
  const here = all.filter(
    (issue) => issue.frame === frame && (!issue.resolved || (isReview && showResolved) || issue.id === chosen),
  );
  const open = here.find(({ id }) => id === chosen);
  return (
    <div ref={layer} className={classes.layer}>
      {here.map((issue) => (
        <div
          key={issue.id}
          className={classes.region}
          data-box={boxText(boxOfIssue(issue))}
          data-resolved={issue.resolved || undefined}
          data-chosen={issue.id === chosen || undefined}
        >
          <button
            type="button"
            className={classes.pin}
            data-testid="issue-pin"
            aria-pressed={issue.id === chosen}
            aria-label={t(issue.resolved ? 'modes.review.pinResolved' : 'modes.review.pin', {
              number: numberOf(issue.id),
            })}
            onClick={() => void review.choose(issue.id === chosen ? null : issue.id)}
          >
            {issue.resolved ? <IconCheck size={14} /> : numberOf(issue.id)}
          </button>
        </div>
      ))}
      <ConflictMarks marks={marks} />
      {open !== undefined && <Thread key={open.id} id={open.id} />}
      <Draft />
    </div>
  );
}
