import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react';
import { useText } from '../../../i18n/index.ts';
import { useLocalStorage } from '../../../ui/kit.ts';
import { useAnnotate } from '../session-context.ts';
import bars from '../workspace.module.css';
import { Inspector } from './inspector.tsx';

const narrowestPx = 240;
const widestPx = 480;
const keyStepPx = 16;
/** What the picture keeps at the least. */
const pictureWidthPx = 320;

const mostPx = (): number => Math.max(narrowestPx, Math.min(widestPx, window.innerWidth - pictureWidthPx));
const within = (width: number): number => Math.round(Math.min(mostPx(), Math.max(narrowestPx, width)));

/** How wide the panel is; it is kept for the next job. */
export function useInspectorWidth(): readonly [number, (wanted: number) => void] {
  const [width, setWidth] = useLocalStorage({
    key: 'limner.inspector.width',
    defaultValue: 320,
    getInitialValueInEffect: false,
  });
  return [within(width), (wanted) => setWidth(within(wanted))];
}

export const inspectorStyle = (width: number): CSSProperties =>
  // A property of the style sheet's own, which React's types do not know.
  ({ '--inspector-width': `${width}px` }) as CSSProperties;

interface FoldingInspectorProps {
  readonly width: number;
  readonly onWidth: (width: number) => void;
}

/** The left edge: dragged, or moved by the arrow keys, it changes the width. */
const Grip = ({ width, onWidth }: FoldingInspectorProps) => {
  const t = useText();
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons === 1) onWidth(window.innerWidth - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const wanted = {
      ArrowLeft: width + keyStepPx,
      ArrowRight: width - keyStepPx,
      Home: widestPx,
      End: narrowestPx,
    }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    onWidth(wanted);
  };
  return (
    <div
      className={bars.grip}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that can be moved is a control
      tabIndex={0}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('view.resize')}
      aria-valuenow={width}
      aria-valuemin={narrowestPx}
      aria-valuemax={widestPx}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
    />
  );
};

/** The panel beside the picture, while it is open. */
export function FoldingInspector(props: FoldingInspectorProps) {
  const open = useAnnotate((state) => state.inspectorOpen);
  return open ? <Inspector grip={<Grip {...props} />} /> : null;
}
