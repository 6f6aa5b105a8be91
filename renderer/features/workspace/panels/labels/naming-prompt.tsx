import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { ShapeRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { Stack, Text, TextInput } from '../../../../ui/kit.ts';
import classes from '../canvas-area.module.css';
import { useAnnotate, useSession } from '../session-context.ts';

const gapPx = 12;

/** Places the prompt beside the shape, or at the top without one, and follows the view. */
function placeBeside(element: HTMLElement, engine: CanvasEngine, shape: ShapeRecord | undefined): void {
  const area = element.parentElement;
  if (area === null || shape === undefined) return;
  const screen = Array.from({ length: shape.points.length / 2 }, (_, index) =>
    engine.toScreen({ x: shape.points[2 * index] ?? 0, y: shape.points[2 * index + 1] ?? 0 }),
  );
  const xs = screen.map(({ x }) => x);
  const right = Math.max(...xs) + gapPx;
  const fitsRight = right + element.offsetWidth + gapPx <= area.clientWidth;
  const left = fitsRight ? right : Math.min(...xs) - gapPx - element.offsetWidth;
  const within = (value: number, size: number, room: number): number =>
    Math.max(gapPx, Math.min(value, room - size - gapPx));
  const top = Math.min(...screen.map(({ y }) => y));
  element.style.left = `${within(left, element.offsetWidth, area.clientWidth)}px`;
  element.style.top = `${within(top, element.offsetHeight, area.clientHeight)}px`;
  element.style.transform = 'none';
}

/**
 * Label prompt for a new shape that no label fits. Enter creates the label, Escape discards the shape. It takes all
 * keys while open.
 */
export function NamingPrompt() {
  const t = useText();
  const { drawing, engine } = useSession();
  const naming = useAnnotate((state) => state.naming);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (naming === null) return;
    // A click on the canvas takes the focus afterwards.
    const focus = requestAnimationFrame(() => input.current?.focus());
    const shape = naming.shapes.at(-1);
    const place = (): void => {
      if (form.current !== null) placeBeside(form.current, engine, shape);
    };
    place();
    const stop = engine.on('view', place);
    return () => {
      cancelAnimationFrame(focus);
      stop();
    };
  }, [naming, engine]);
  if (naming === null) return null;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (name.trim() === '' || busy) return;
    setBusy(true);
    void drawing.finishNaming(name).finally(() => {
      setBusy(false);
      setName('');
    });
  };
  const leave = (): void => {
    setName('');
    drawing.cancelNaming();
  };
  return (
    <form
      ref={form}
      className={`${classes.over} ${classes.naming}`}
      data-high
      onSubmit={submit}
      data-input="naming"
      data-busy={busy || undefined}
    >
      <Stack gap={8}>
        <TextInput
          ref={input}
          label={t('annotate.nameFirst')}
          placeholder={t('annotate.labelPlaceholder')}
          maxLength={64}
          autoFocus
          readOnly={busy}
          value={name}
          onChange={setName}
          onKeyDown={(event) => event.key === 'Escape' && !busy && leave()}
          data-testid="naming"
        />
        <Text fz="xs" c="dimmed">
          {t(naming.shapes.length === 0 ? 'annotate.nameHint' : 'annotate.nameFirstHint')}
        </Text>
      </Stack>
    </form>
  );
}
