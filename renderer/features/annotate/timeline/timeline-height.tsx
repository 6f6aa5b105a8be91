import type { KeyboardEvent, PointerEvent } from 'react';
import { useText } from '../../../i18n/index.ts';
import { useLocalStorage } from '../../../ui/kit.ts';
import classes from './timeline.module.css';

const lowestPx = 124;
const keyStepPx = 24;
const statusBarPx = 28;

const highestPx = (): number => Math.round(window.innerHeight * 0.6);
const within = (height: number): number => Math.round(Math.min(highestPx(), Math.max(lowestPx, height)));

/** How high the timeline is; it is kept for the next job. */
export function useHeight() {
  const key = 'limner.timeline.height';
  const [height, setHeight] = useLocalStorage({ key, defaultValue: 244, getInitialValueInEffect: false });
  return { height: within(height), setHeight: (wanted: number) => setHeight(within(wanted)) };
}

interface GripProps {
  readonly height: number;
  readonly onHeight: (height: number) => void;
}

/** The upper edge: dragged, or moved by the arrow keys, it changes the height. */
export const Grip = ({ height, onHeight }: GripProps) => {
  const t = useText();
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons === 1) onHeight(window.innerHeight - event.clientY - statusBarPx);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const wanted = {
      ArrowUp: height + keyStepPx,
      ArrowDown: height - keyStepPx,
      Home: highestPx(),
      End: lowestPx,
    }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    onHeight(wanted);
  };
  return (
    <div
      className={classes.grip}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that can be moved is a control
      tabIndex={0}
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('timeline.resize')}
      aria-valuenow={height}
      aria-valuemin={lowestPx}
      aria-valuemax={highestPx()}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
    />
  );
};
