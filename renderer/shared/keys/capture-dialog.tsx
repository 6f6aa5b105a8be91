import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { isMacKeyboard, isModifierKey, strokeOf, type Shortcut } from '../../canvas/shortcuts.ts';
import type { ActionDefinition } from '../../canvas/action-table.ts';
import { actionText } from '../../i18n/canvas-text.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Dimmed, Group, Kbd, Modal, QuietButton, Stack, Text, UnstyledButton } from '../../ui/kit.ts';
import {
  assignKey,
  conflictsOf,
  labelOfAction,
  shortcutsOf,
  withKeys,
  withLabels,
  type KeyedAction,
} from './keymap.ts';
import classes from './keys.module.css';
import { shortcutText, useKeymap } from './keymap-store.ts';

/** Name of an action, or of a label with a key. */
export function useActionName(actions: readonly ActionDefinition[]): (id: string) => string {
  const t = useText();
  return (id) => {
    const action = actions.find((one) => one.id === id);
    if (action !== undefined) return actionText(action);
    const name = labelOfAction(id);
    return name === null ? id : t('keys.labelNamed', { name });
  };
}

interface CaptureProps {
  readonly actions: readonly ActionDefinition[];
  readonly id: string;
  /** The key to replace; null adds one. */
  readonly instead: Shortcut | null;
  /** The new key replaces all keys of the action. */
  readonly only?: boolean;
  readonly onClose: () => void;
}

/** Captures one key and then releases the keyboard, so that users are not trapped and Tab and Escape can be chosen. */
const CaptureField = ({ hint, onStroke }: { readonly hint: string; readonly onStroke: (stroke: string) => void }) => {
  const field = useRef<HTMLButtonElement>(null);
  useEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (!isModifierKey(event.code) && !event.repeat) onStroke(strokeOf(event, isMacKeyboard()));
  };
  return (
    <UnstyledButton
      ref={field}
      className={classes.field ?? ''}
      data-autofocus
      onKeyDown={onKeyDown}
      data-testid="capture"
    >
      {hint}
    </UnstyledButton>
  );
};

/** Captures a key, shows conflicts, and offers to swap or take it. */
export function CaptureDialog({ actions, id, instead, only = false, onClose }: CaptureProps) {
  const t = useText();
  const nameOf = useActionName(actions);
  const { keymap, set } = useKeymap();
  const [strokes, setStrokes] = useState<readonly string[]>([]);
  const [waits, setWaits] = useState(true);
  const all = withLabels(actions, keymap, id);
  const own = all.find((one) => one.id === id);
  const given = only && own !== undefined ? (shortcutsOf(own, keymap)[0] ?? null) : instead;
  const shortcut = strokes.join(' ');
  const conflicts = shortcut === '' ? [] : conflictsOf(all, keymap, { id, shortcut });
  const canSwap = given !== null && conflicts.length > 0 && conflicts.every(({ kind }) => kind === 'same');
  const finish = (others: 'take' | 'swap'): void => {
    set(assignKey(all, keymap, { id, shortcut, instead: given, others }));
    onClose();
  };
  const ask = (kept: readonly string[]): void => {
    setStrokes(kept);
    setWaits(true);
  };
  const remove = (from: KeyedAction): void => {
    const kept = shortcutsOf(from, keymap).filter((one) => one !== given);
    set(withKeys(keymap, from, kept));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!waits}
      size="lg"
      title={t('keys.captureTitle', { name: nameOf(id) })}
      transitionProps={{ duration: 0 }}
    >
      <Stack gap={12}>
        {waits ? (
          <CaptureField
            hint={t(strokes.length === 0 ? 'keys.capture' : 'keys.captureSecond')}
            onStroke={(stroke) => {
              setStrokes([...strokes, stroke]);
              setWaits(false);
            }}
          />
        ) : (
          <>
            <Group gap={8} aria-live="polite">
              <Text fz="sm">{t('keys.captured')}</Text>
              <Kbd data-testid="captured">{shortcutText(shortcut)}</Kbd>
            </Group>
            <div role="status">
              {conflicts.length === 0 && <Text fz="sm">{t('keys.free')}</Text>}
              {conflicts.map((conflict) => (
                <Text key={`${conflict.id} ${conflict.shortcut}`} fz="sm">
                  {t(conflict.kind === 'same' ? 'keys.takenBy' : 'keys.beginsOf', {
                    key: shortcutText(conflict.shortcut),
                    name: nameOf(conflict.id),
                  })}
                </Text>
              ))}
              {conflicts.length > 0 && (
                <Dimmed>{canSwap ? t('keys.takeHint', { key: shortcutText(given) }) : t('keys.takeOnlyHint')}</Dimmed>
              )}
            </div>
            <Group gap={8}>
              {canSwap && (
                <Button autoFocus onClick={() => finish('swap')}>
                  {t('keys.swap')}
                </Button>
              )}
              <Button autoFocus={!canSwap} variant={canSwap ? 'default' : 'filled'} onClick={() => finish('take')}>
                {t(conflicts.length > 0 ? 'keys.take' : 'keys.keep')}
              </Button>
              {strokes.length === 1 && <QuietButton onClick={() => ask(strokes)}>{t('keys.second')}</QuietButton>}
              <Button variant="subtle" color="gray" onClick={() => ask([])}>
                {t('keys.again')}
              </Button>
            </Group>
          </>
        )}
        {given !== null && own !== undefined && (
          <Group>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => remove(own)}>
              {t('keys.remove', { key: shortcutText(given) })}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
