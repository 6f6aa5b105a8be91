import { useMemo } from 'react';
import { useText } from '../../../../i18n/index.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { useJobIssues } from '../timeline/issue-marks.tsx';
import classes from './top-bar.module.css';

/** Maximum number of marks: the pixels of the slider. */
const places = 240;

function placesOf(frames: Iterable<number>, first: number, last: number): readonly number[] {
  const at = (frame: number): number => Math.floor(((frame - first) / Math.max(1, last - first)) * (places - 1));
  return [...new Set([...frames].filter((frame) => frame >= first && frame <= last).map(at))];
}

/** Marks under the frame slider: deleted frames and open issues. */
export function FrameMarks() {
  const t = useText();
  const { start_frame: first, stop_frame: last } = useSession().job;
  const deleted = useAnnotate((state) => state.deleted);
  const { found } = useJobIssues();
  const gone = useMemo(() => placesOf(deleted, first, last), [deleted, first, last]);
  const open = useMemo(() => {
    const frames = found.flatMap(({ frame, resolved }) => (resolved || frame === null ? [] : [frame]));
    return placesOf(frames, first, last);
  }, [found, first, last]);
  if (gone.length + open.length === 0) return null;
  return (
    <svg
      className={classes.marks}
      viewBox={`0 0 ${places} 4`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('annotate.frameMarks')}
      data-testid="frame-marks"
    >
      {gone.map((at) => (
        <rect key={at} fill="var(--mantine-color-dimmed)" x={at} width={2} height={4} />
      ))}
      {open.map((at) => (
        <rect key={at} fill="var(--mantine-color-orange-6)" x={at} width={3} height={4} />
      ))}
    </svg>
  );
}
