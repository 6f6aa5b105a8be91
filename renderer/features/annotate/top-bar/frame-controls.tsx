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
import { useState, type RefObject } from 'react';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Slider, TextInput } from '../../../ui/kit.ts';
import { PlayButton, PlayerControls } from '../player/player-controls.tsx';
import { useAnnotate, useShortcuts, useWorkspace } from '../session-context.ts';
import { FrameMarks } from './frame-marks.tsx';
import classes from './top-bar.module.css';

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

const StepButtons = ({ steps, disabled }: { readonly steps: typeof before; readonly disabled: boolean }) => {
  const t = useText();
  const { actions } = useWorkspace();
  const keyOf = useShortcuts();
  return steps.map(([id, StepIcon]) => {
    const label = actions.get(id)?.label;
    return (
      <IconButton
        key={id}
        label={label === undefined ? id : t(label)}
        shortcut={keyOf(id)}
        disabled={disabled}
        icon={<StepIcon size={18} stroke={1.5} />}
        onClick={() => actions.run(id)}
        testId={id}
      />
    );
  });
};

/** The number typed goes to its frame at Enter; leaving the field forgets it. */
const NumberField = ({
  input,
  frame,
}: {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly frame: number;
}) => {
  const t = useText();
  const { session } = useWorkspace();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      ref={input}
      size="xs"
      className={classes.input ?? ''}
      aria-label={t('annotate.frameNumber')}
      inputMode="numeric"
      value={typed ?? String(frame)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => setTyped(null)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key !== 'Enter') return;
        const number = Number(typed ?? frame);
        if (Number.isInteger(number)) void session.navigator.goTo(number);
        event.currentTarget.blur();
      }}
    />
  );
};

/** First, −10, −1, number (the one that files and the API have), how many there are, slider, +1, +10, last, and the file's name. */
export function FrameControls({ input }: { readonly input: RefObject<HTMLInputElement | null> }) {
  const t = useText();
  const { session, actions } = useWorkspace();
  const keyOf = useShortcuts();
  const { start_frame: first, stop_frame: last } = session.job;
  const frame = useAnnotate((state) => state.wantedFrame);
  const isDeleted = useAnnotate(({ deleted }) => deleted.has(frame));
  const name = session.metaOf(frame)?.name ?? '';
  return (
    <nav className={classes.frames} aria-label={t('annotate.frame')}>
      <StepButtons steps={before} disabled={frame === first} />
      {session.player !== null && <PlayButton />}
      <NumberField input={input} frame={frame} />
      <span className={classes.total} title={t('annotate.frameRange', { first, last })}>
        {t('annotate.frameCount', { count: session.job.frame_count })}
      </span>
      {last > first && (
        <div className={classes.slider}>
          <Slider
            size={4}
            thumbSize={14}
            label={null}
            min={first}
            max={last}
            value={frame}
            thumbLabel={t('annotate.frameSlider')}
            onChange={(value) => void session.navigator.goTo(value)}
          />
          <FrameMarks />
        </div>
      )}
      <StepButtons steps={after} disabled={frame === last} />
      {session.player !== null && <PlayerControls />}
      <IconButton
        label={t(isDeleted ? 'annotate.restoreFrame' : 'annotate.deleteFrame')}
        shortcut={keyOf('frame.delete')}
        icon={isDeleted ? <IconRestore size={16} stroke={1.5} /> : <IconTrash size={16} stroke={1.5} />}
        onClick={() => actions.run('frame.delete')}
      />
      <IconButton
        label={t('find.search.title')}
        shortcut={keyOf('find.search')}
        icon={<IconSearch size={16} stroke={1.5} />}
        onClick={() => actions.run('find.search')}
      />
      <span className={classes.file} title={name} data-testid="file-name">
        {name}
      </span>
    </nav>
  );
}
