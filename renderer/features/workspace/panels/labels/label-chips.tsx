import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { useText } from '../../../../i18n/index.ts';
import { focusInput, keepFocus } from '../../commands/focus.ts';
import chips from '../chips.module.css';
import { LabelDot } from './label-box.tsx';
import classes from './label-box.module.css';
import { useLabelColor } from '../scene-hooks.ts';

/** More than fit on the widest line. */
const mostChips = 200;

/** Number of chips that fit on the bar's single line; the others wrap out of view. */
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
  // Measures whenever the labels or their order change.
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
  /** Index of the active label, which is always visible; −1 for none. Undefined for chips that do not switch. */
  readonly active?: number;
  readonly keyOf: (label: Label, index: number) => string | undefined;
  readonly onPick: (label: Label) => void;
}

export function LabelChips({ labels, active, keyOf, onPick }: LabelChipsProps) {
  const t = useText();
  const colorOf = useLabelColor();
  const { row, shown } = useRoom(Math.min(labels.length, mostChips));
  const isMoved = active !== undefined && active >= shown;
  const isShown = (index: number): boolean => index === active || index < (isMoved ? shown - 1 : shown);
  const hidden = labels.length - shown;
  const more = t('annotate.moreLabels', { count: hidden });
  return (
    <>
      <div ref={row} className={chips.chips} onMouseDown={keepFocus}>
        {labels.map((label, index) => {
          if (index >= mostChips && index !== active) return null;
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
        <button type="button" className={chips.chip} title={more} aria-label={more} onClick={() => focusInput('label')}>
          +{hidden}
        </button>
      )}
    </>
  );
}
