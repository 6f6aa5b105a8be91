import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconRestore,
  IconSearch,
  IconTrash,
  type Icon,
} from '@tabler/icons-react';
import { useState, useMemo, type KeyboardEvent } from 'react';
import { useText } from '../../../../i18n/index.ts';
import { Slider, TextInput } from '../../../../ui/kit.ts';
import { ActionButton } from '../action-button.tsx';
import { PlayButton, PlayerControls } from './player-controls.tsx';
import { useAnnotate, useSession, useWorkspace } from '../session-context.ts';
import { useTimelineIsOpen } from '../timeline/use-timeline.ts';
import classes from './top-bar.module.css';
import { useJobIssues } from '../timeline/issue-marks.tsx';

/** Maximum number of marks: the pixels of the slider. */
const places = 240;

function placesOf(frames: Iterable<number>, first: number, last: number): readonly number[] {
  const at = (frame: number): number => Math.floor(((frame - first) / Math.max(1, last - first)) * (places - 1));
  return [...new Set([...frames].filter((frame) => frame >= first && frame <= last).map(at))];
}

/** Marks under the frame slider: deleted frames and open issues. */
function FrameMarks() {
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

const before: readonly (readonly [string, Icon])[] = [
  ['frame.first', IconPlayerSkipBack],
  ['frame.back10', IconChevronsLeft],
  ['frame.previous', IconChevronLeft],
];
const after: readonly (readonly [string, Icon])[] = [
  ['frame.next', IconChevronRight],
  ['frame.forward10', IconChevronsRight],
  ['frame.last', IconPlayerSkipForward],
];

/** @param at the frame from which they lead nowhere */
const StepButtons = ({ steps, at }: { readonly steps: typeof before; readonly at: number }) => {
  const t = useText();
  const disabled = useAnnotate((state) => state.wantedFrame === at);
  const { actions } = useWorkspace();
  return steps.map(([id, icon]) => {
    const label = actions.get(id)?.label;
    return (
      <ActionButton
        key={id}
        label={label === undefined ? id : t(label)}
        action={id}
        disabled={disabled}
        icon={icon}
        iconSize={18}
        testId={id}
      />
    );
  });
};

/** Enter goes to the typed frame; blur discards the input. */
const NumberField = () => {
  const t = useText();
  const { navigator } = useSession();
  const frame = useAnnotate((state) => state.wantedFrame);
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      data-input="frame"
      size="xs"
      className={classes.input ?? ''}
      aria-label={t('annotate.frameNumber')}
      inputMode="numeric"
      value={typed ?? String(frame)}
      onChange={setTyped}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => setTyped(null)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key !== 'Enter') return;
        const number = Number(typed ?? frame);
        if (Number.isInteger(number)) void navigator.goTo(number);
        event.currentTarget.blur();
      }}
    />
  );
};

const FrameSlider = () => {
  const t = useText();
  const { job, store, navigator } = useSession();
  const frame = useAnnotate((state) => state.settledFrame);
  /** The slider follows a step after the repaint, so keys start from the wanted frame. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = store.getState().wantedFrame;
    const target = {
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      Home: job.start_frame,
      End: job.stop_frame,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    void navigator.goTo(target);
  };
  return (
    <div className={classes.slider} onKeyDownCapture={onKeyDown}>
      <Slider
        size={4}
        thumbSize={14}
        label={null}
        min={job.start_frame}
        max={job.stop_frame}
        value={frame}
        thumbLabel={t('annotate.frameSlider')}
        onChange={(value) => void navigator.goTo(value)}
      />
      <FrameMarks />
    </div>
  );
};

const DeleteButton = () => {
  const t = useText();
  const isDeleted = useAnnotate(({ deleted, wantedFrame }) => deleted.has(wantedFrame));
  return (
    <ActionButton
      label={t(isDeleted ? 'annotate.restoreFrame' : 'annotate.deleteFrame')}
      action="frame.delete"
      testId="frame.delete"
      icon={isDeleted ? IconRestore : IconTrash}
    />
  );
};

const FileName = () => {
  const { metaOf } = useSession();
  const name = useAnnotate((state) => metaOf(state.wantedFrame)?.name ?? '');
  return (
    <span className={classes.file} title={name} data-testid="file-name">
      {name}
    </span>
  );
};

/**
 * First, −10, −1, number (as in files and the API), count, slider (replaced by the open timeline), +1, +10, last, file
 * name. Each part renders separately: a frame step renders only the number and the name, and
 * the slider after the repaint.
 */
export function FrameControls() {
  const t = useText();
  const session = useSession();
  const hasTimeline = useTimelineIsOpen();
  const { start_frame: first, stop_frame: last } = session.job;
  const isVideo = session.player !== null;
  return (
    <nav className={`${classes.frames} ${isVideo ? classes.ofVideo : ''}`} aria-label={t('annotate.frame')}>
      <StepButtons steps={before} at={first} />
      {isVideo && <PlayButton />}
      <NumberField />
      <span className={classes.total} title={t('annotate.frameRange', { first, last })}>
        {t('annotate.frameCount', { count: session.job.frame_count })}
      </span>
      {last > first && !hasTimeline && <FrameSlider />}
      <StepButtons steps={after} at={last} />
      {isVideo && <PlayerControls />}
      <DeleteButton />
      <ActionButton label={t('find.search.title')} action="find.search" icon={IconSearch} testId="find.search" />
      <FileName />
    </nav>
  );
}
