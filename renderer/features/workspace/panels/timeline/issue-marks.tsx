import { IconMessage2Filled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Issue } from '../../../../../preload/contract/schema/review.ts';
import { reviewQueries } from '../../../../api/review-queries.ts';
import { useText } from '../../../../i18n/index.ts';
import { keepFocus } from '../../commands/focus.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { xOf, type IssueMark, type TimeView } from './timeline-view.ts';
import classes from './timeline.module.css';

const none: readonly Issue[] = [];
/** Half the width of the current frame's number plus half a mark: a smaller distance would overlap. */
const besideNumberPx = 28;

/** Issues of the job by ascending frame. `retry` is null unless loading failed. */
export function useJobIssues() {
  const { data, isError, refetch } = useQuery(reviewQueries.ofJob(useSession().job.id));
  const again = useCallback((): void => void refetch(), [refetch]);
  return { found: data?.results ?? none, retry: isError ? again : null };
}

interface IssueMarksProps {
  readonly marks: readonly IssueMark[];
  readonly view: TimeView;
  readonly width: number;
}

/** Marks of issues over the ruler; a click goes to the frame. */
export function IssueMarks({ marks, view, width }: IssueMarksProps) {
  const t = useText();
  const { navigator } = useSession();
  const now = xOf(
    view,
    useAnnotate((state) => state.wantedFrame),
  );
  return marks.map(({ frame, x, count, isResolved }) => {
    const name = t(isResolved ? 'timeline.issuesResolved' : 'timeline.issues', { count, frame });
    const isCovered = Math.abs(x - now) < besideNumberPx;
    const goesLeft = x < now || now + besideNumberPx > width - 9;
    return (
      <button
        key={frame}
        type="button"
        className={classes.mark}
        style={{ left: isCovered ? now + (goesLeft ? -besideNumberPx : besideNumberPx) : x }}
        aria-label={name}
        title={name}
        data-testid="issue-mark"
        data-resolved={isResolved || undefined}
        onMouseDown={keepFocus}
        onClick={() => void navigator.goTo(frame)}
      >
        <IconMessage2Filled size={12} />
      </button>
    );
  });
}
