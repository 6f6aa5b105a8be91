import type { CSSProperties } from 'react';
import { useText } from '../../../i18n/index.ts';
import { Grip } from '../../../ui/grip.tsx';
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

/** The panel beside the picture, while it is open. */
export function FoldingInspector({ width, onWidth }: FoldingInspectorProps) {
  const t = useText();
  const open = useAnnotate((state) => state.inspectorOpen);
  if (!open) return null;
  const grip = (
    <Grip
      label={t('view.resize')}
      className={bars.grip}
      orientation="vertical"
      size={width}
      least={narrowestPx}
      most={widestPx}
      keyStep={keyStepPx}
      sizeAt={({ clientX }) => window.innerWidth - clientX}
      onSize={onWidth}
    />
  );
  return <Inspector grip={grip} />;
}
