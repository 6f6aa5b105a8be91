import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { useText } from '../../../i18n/index.ts';
import { keepFocus } from '../action-list.ts';
import chips from '../chips.module.css';
import { useLabelColor } from '../session-context.ts';
import { LabelDot } from './label-box.tsx';
import classes from './label-box.module.css';

/** How many chips stand in the bar's only line: those after them are wrapped out of sight. */
function useRoom(count: number) {
  const row = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(count);
  const measure = useCallback((): void => {
    const host = row.current;
    if (host === null) return;
    const inLine = [...host.children].filter(
      (chip) => chip instanceof HTMLElement && chip.offsetTop - host.offsetTop < host.clientHeight,
    );
    setShown(inLine.length);
  }, []);
  // Each time other labels, or another one in front, are shown.
  useLayoutEffect(measure);
  useEffect(() => {
    if (row.current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(row.current);
    return () => observer.disconnect();
  }, [measure]);
  return { row, shown };
}

interface LabelChipsProps {
  readonly labels: readonly Label[];
  /** The place of the one in use, which is always in sight; −1: none. Absent: they are not for switching. */
  readonly active?: number;
  readonly keyOf: (label: Label, index: number) => string | undefined;
  readonly onPick: (label: Label) => void;
  /** There are more than have room. */
  readonly onMore: () => void;
}

/** Labels as buttons, as many as stand in one line; how many more there are. */
export function LabelChips({ labels, active, keyOf, onPick, onMore }: LabelChipsProps) {
  const t = useText();
  const colorOf = useLabelColor();
  const { row, shown } = useRoom(labels.length);
  const isMoved = active !== undefined && active >= shown;
  const isShown = (index: number): boolean => index === active || index < (isMoved ? shown - 1 : shown);
  const hidden = labels.length - shown;
  const more = t('annotate.moreLabels', { count: hidden });
  return (
    <>
      <div ref={row} className={chips.chips} onMouseDown={keepFocus}>
        {labels.map((label, index) => {
          const key = keyOf(label, index);
          return (
            <button
              key={label.id}
              type="button"
              className={chips.chip}
              title={label.name}
              data-moved={(index === active && isMoved) || undefined}
              data-cut={!isShown(index) || undefined}
              aria-pressed={active === undefined ? undefined : index === active}
              onClick={() => onPick(label)}
            >
              {key !== undefined && <span className={classes.key}>{key}</span>}
              <LabelDot color={colorOf(label)} />
              <span className={chips.name}>{label.name}</span>
            </button>
          );
        })}
      </div>
      {hidden > 0 && (
        <button type="button" className={chips.chip} title={more} aria-label={more} onClick={onMore}>
          +{hidden}
        </button>
      )}
    </>
  );
}
