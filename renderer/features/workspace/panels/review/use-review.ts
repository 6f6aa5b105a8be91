import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Comment, Issue } from '../../../../../preload/contract/schema/review.ts';
import { reviewQueries } from '../../../../api/review-queries.ts';
import type { ReviewState } from '../../model/review/review-controller.ts';
import { useSession } from '../session-context.ts';

const none: readonly Issue[] = [];
const silent: readonly Comment[] = [];

export const useReview = <Value>(select: (state: ReviewState) => Value): Value =>
  useStore(useSession().review.state, select);

export function useThreads() {
  const { job } = useSession();
  const jobs = useMemo(() => [job.id], [job.id]);
  const issues = useQuery(reviewQueries.ofJob(job.id));
  const comments = useQuery(reviewQueries.comments(jobs)).data ?? silent;
  const all = issues.data?.results ?? none;
  return {
    all,
    failed: issues.data === undefined ? issues.error : null,
    retry: () => void issues.refetch(),
    numberOf: (id: number): number => all.findIndex((issue) => issue.id === id) + 1,
    commentsOf: (id: number): readonly Comment[] => comments.filter((comment) => comment.issue === id),
  };
}
