import { IconPlus, IconRestore } from '@tabler/icons-react';
import { useState } from 'react';
import type { ActionDefinition } from '../../../canvas/action-table.ts';
import type { Shortcut } from '../../../canvas/shortcuts.ts';
import { useText } from '../../../i18n/index.ts';
import { CaptureDialog, useActionName } from '../../../shared/keys/capture-dialog.tsx';
import { conflictsOf, resetKeys, shortcutsOf, withLabels, type KeyedAction } from '../../../shared/keys/keymap.ts';
import { shortcutText, useKeymap } from '../../../shared/keys/keymap-store.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Kbd, Text, UnstyledButton } from '../../../ui/kit.ts';
import classes from './shortcuts.module.css';

interface ShortcutRowProps {
  readonly action: KeyedAction;
  readonly name: string;
  readonly actions: readonly ActionDefinition[];
}

/** An action with its keys, each a button to change it; add and reset buttons. */
export function ShortcutRow({ action, name, actions }: ShortcutRowProps) {
  const t = useText();
  const { keymap, set } = useKeymap();
  const nameOf = useActionName(actions);
  const [capture, setCapture] = useState<{ readonly instead: Shortcut | null } | null>(null);
  const all = withLabels(actions, keymap);
  const keys = shortcutsOf(action, keymap);
  const isChanged = keymap.changes[action.id] !== undefined;
  const shared = isChanged
    ? keys.flatMap((key) => {
        const names = conflictsOf(all, keymap, { id: action.id, shortcut: key }).map((conflict) => nameOf(conflict.id));
        return names.length === 0 ? [] : [{ key, names: names.join(', ') }];
      })
    : [];
  return (
    <div className={classes.row} data-action={action.id}>
      <div className={classes.name}>
        {name}
        {shared.map(({ key, names }) => (
          <Text key={key} fz="xs" className={classes.shared ?? ''}>
            {t('keys.alsoHas', { key: shortcutText(key), names })}
          </Text>
        ))}
      </div>
      <div className={classes.keys}>
        {keys.length === 0 && <span className={classes.none}>{t('keys.none')}</span>}
        {keys.map((key) => (
          <UnstyledButton
            key={key}
            className={classes.key ?? ''}
            aria-label={t('keys.change', { key: shortcutText(key), name })}
            onClick={() => setCapture({ instead: key })}
          >
            <Kbd size="xs">{shortcutText(key)}</Kbd>
          </UnstyledButton>
        ))}
      </div>
      <IconButton
        size="sm"
        label={t('keys.add', { name })}
        icon={<IconPlus size={15} stroke={1.5} />}
        onClick={() => setCapture({ instead: null })}
      />
      <IconButton
        size="sm"
        label={t('keys.resetOne', { name })}
        disabled={!isChanged}
        icon={<IconRestore size={15} stroke={1.5} />}
        onClick={() => set(resetKeys(all, keymap, action.id))}
      />
      {capture !== null && (
        <CaptureDialog actions={actions} id={action.id} instead={capture.instead} onClose={() => setCapture(null)} />
      )}
    </div>
  );
}
