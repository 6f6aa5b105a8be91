import { useSyncExternalStore } from 'react';
import type { TrackRecord } from '../../../../canvas/types.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { useJobIssues } from './issue-marks.tsx';

export function useTracks(): readonly TrackRecord[] {
  const { tracks } = useSession().engine;
  useSyncExternalStore(tracks.subscribe, () => tracks.version);
  return tracks.all();
}

/** Without tracks and issues it would be an empty box over a third of the image. */
export function useTimelineIsFilled(): boolean {
  const tracks = useTracks();
  const issues = useJobIssues();
  return tracks.length > 0 || issues.found.length > 0 || issues.retry !== null;
}

/** True if the timeline's ruler replaces the frame slider. */
export function useTimelineIsOpen(): boolean {
  const isFilled = useTimelineIsFilled();
  return useAnnotate((state) => state.dock === 'timeline') && isFilled;
}
