import { IconCheck, IconX } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { boxOfCorners } from '../../../../canvas/geometry/box.ts';
import { boundsOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { ShapeRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { keepFocus } from '../../commands/focus.ts';
import { useSession, useShortcuts } from '../session-context.ts';
import classes from './models.module.css';
import { useSelection } from '../scene-hooks.ts';
import { useSuggestions } from './use-models.ts';

/**
 * Places the buttons below the shape, inside the canvas. Writes to the DOM directly, because panning must not render.
 */
function place(element: HTMLElement, engine: CanvasEngine, shape: ShapeRecord): void {
  const { left, top, right, bottom } = boundsOf(shape);
  // The view rotates by quarters, so two corners define the box.
  const box = boxOfCorners(engine.toScreen({ x: left, y: top }), engine.toScreen({ x: right, y: bottom }));
  const host = element.parentElement;
  const keep = (value: number, limit: number): number => Math.min(Math.max(value, 4), Math.max(4, limit));
  const x = box.right - element.offsetWidth;
  const y = box.bottom + 10;
  const limitX = (host?.clientWidth ?? 0) - element.offsetWidth - 4;
  const limitY = (host?.clientHeight ?? 0) - element.offsetHeight - 4;
  element.style.transform = `translate(${Math.round(keep(x, limitX))}px, ${Math.round(keep(y, limitY))}px)`;
}

export function SuggestionButtons() {
  const t = useText();
  const { engine, models } = useSession();
  const keyOf = useShortcuts();
  const selection = useSelection();
  const element = useRef<HTMLDivElement>(null);
  const chosen = useSuggestions().filter((record) => selection.includes(record.clientId));
  const shape = chosen.findLast((record) => record.kind === 'shape');
  useLayoutEffect(() => {
    const follow = (): void => {
      if (element.current !== null && shape?.kind === 'shape') place(element.current, engine, shape);
    };
    follow();
    return engine.on('view', follow);
  }, [engine, shape, element]);
  if (shape === undefined) return null;
  const ids = chosen.map(({ clientId }) => clientId);
  return (
    <div ref={element} className={classes.floating} onMouseDown={keepFocus} data-testid="suggestion-buttons">
      <IconButton
        label={t('assist.accept')}
        shortcut={keyOf('model.accept')}
        variant="filled"
        color="teal.8"
        icon={<IconCheck size={18} />}
        onClick={() => models.suggestions.accept(ids)}
      />
      <IconButton
        label={t('assist.reject')}
        shortcut={keyOf('model.reject')}
        variant="default"
        icon={<IconX size={18} />}
        onClick={() => models.suggestions.reject(ids)}
      />
    </div>
  );
}
