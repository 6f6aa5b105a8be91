import { useText } from '../../../../i18n/index.ts';
import { Grip } from '../../../../ui/grip.tsx';
import { useLocalStorage } from '../../../../ui/kit.ts';
import classes from './timeline.module.css';

const lowestPx = 124;
const keyStepPx = 24;
const statusBarPx = 28;

/** Space for the bars and a usable part of the image. */
const keptPx = 316;

const highestPx = (): number =>
  Math.max(lowestPx, Math.round(Math.min(window.innerHeight * 0.6, window.innerHeight - keptPx)));
const within = (height: number): number => Math.round(Math.min(highestPx(), Math.max(lowestPx, height)));

/** Height of the timeline, saved for the next job. */
export function useHeight() {
  const key = 'limner.timeline.height';
  const [height, setHeight] = useLocalStorage({ key, defaultValue: 244, getInitialValueInEffect: false });
  return { height: within(height), setHeight: (wanted: number) => setHeight(within(wanted)) };
}

interface TimelineGripProps {
  readonly height: number;
  readonly onHeight: (height: number) => void;
}

export const TimelineGrip = ({ height, onHeight }: TimelineGripProps) => (
  <Grip
    label={useText()('timeline.resize')}
    className={classes.grip}
    orientation="horizontal"
    size={height}
    least={lowestPx}
    most={highestPx()}
    keyStep={keyStepPx}
    sizeAt={({ clientY }) => window.innerHeight - clientY - statusBarPx}
    onSize={onHeight}
  />
);
