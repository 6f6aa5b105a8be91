import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Menu, Select } from '../../../../ui/kit.ts';
import { ActionButton } from '../action-button.tsx';
import { keepFocus } from '../../commands/focus.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { speeds } from '../../model/frames/player.ts';
import classes from './top-bar.module.css';

/** Minutes, seconds and tenths: `01:08.6`. */
function timeText(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  return `${String(minutes).padStart(2, '0')}:${String(Math.floor(rest / 10)).padStart(2, '0')}.${rest % 10}`;
}

export function PlayButton() {
  const t = useText();
  const playing = useAnnotate((state) => state.playing);
  return (
    <span onMouseDown={keepFocus}>
      <ActionButton
        label={playing ? t('player.pause') : t('player.play')}
        action="player.toggle"
        variant="filled"
        color="blue"
        icon={playing ? IconPlayerPauseFilled : IconPlayerPlayFilled}
        testId="play"
      />
    </span>
  );
}

const LoopItems = () => {
  const t = useText();
  const { player, job } = useSession();
  const loop = useAnnotate((state) => state.loop);
  const frame = useAnnotate((state) => state.wantedFrame);
  const whole = { from: job.start_frame, to: job.stop_frame };
  const { from, to } = loop ?? whole;
  const items = [
    ['loopAll', whole, false],
    ['loopFrom', { from: frame, to }, frame >= to],
    ['loopTo', { from, to: frame }, frame <= from],
    ['loopOff', null, loop === null],
  ] as const;
  return items.map(([name, next, disabled]) => (
    <Menu.Item key={name} disabled={disabled} onClick={() => player?.setLoop(next)}>
      {t(`player.${name}`, { frame })}
    </Menu.Item>
  ));
};

const LoopMenu = () => {
  const t = useText();
  const loop = useAnnotate((state) => state.loop);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton
          label={loop === null ? t('player.loop') : t('player.looping', loop)}
          pressed={loop !== null}
          variant={loop === null ? 'subtle' : 'light'}
          icon={<IconRepeat size={18} stroke={1.5} />}
          testId="loop"
        />
      </Menu.Target>
      <Menu.Dropdown>
        <LoopItems />
      </Menu.Dropdown>
    </Menu>
  );
};

const FrameTime = () => {
  const { player, job } = useSession();
  const frame = useAnnotate((state) => state.wantedFrame);
  const { data: times } = useQuery({
    queryKey: ['video-times', job.id],
    queryFn: () => player?.times(),
    staleTime: Infinity,
    retry: false,
  });
  const timeOf = (number: number): string => {
    const seconds = times?.seconds[number - times.first];
    return typeof seconds === 'number' ? timeText(seconds) : '–';
  };
  return (
    <span className={classes.time} data-testid="frame-time">
      {timeOf(frame)} / {timeOf(job.stop_frame)}
    </span>
  );
};

export function PlayerControls() {
  const t = useText();
  const { player } = useSession();
  const speed = useAnnotate((state) => state.speed);
  return (
    <>
      <FrameTime />
      <Select
        size="xs"
        variant="unstyled"
        w={62}
        className={classes.speed ?? ''}
        aria-label={t('player.speed')}
        allowDeselect={false}
        data={speeds.map((value) => ({ value: String(value), label: `${value}×` }))}
        value={String(speed)}
        onChange={(value) => value !== null && player?.setSpeed(Number(value))}
      />
      <LoopMenu />
    </>
  );
}
