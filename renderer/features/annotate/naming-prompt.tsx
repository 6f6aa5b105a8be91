import { useState, type SyntheticEvent } from 'react';
import { useText } from '../../i18n/index.ts';
import { Stack, Text, TextInput } from '../../ui/kit.ts';
import classes from './canvas-area.module.css';
import { useAnnotate, useSession } from './session-context.ts';

/** Asks once for a name when no label suits the chosen tool: type, Enter, draw. */
export function NamingPrompt() {
  const t = useText();
  const { drawing } = useSession();
  const naming = useAnnotate((state) => state.naming);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
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
  return (
    <form className={classes.naming} onSubmit={submit}>
      <Stack gap={8}>
        <TextInput
          label={t('annotate.nameFirst')}
          placeholder={t('annotate.labelPlaceholder')}
          maxLength={64}
          autoFocus
          disabled={busy}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && drawing.cancelNaming()}
          data-testid="naming"
        />
        <Text fz="xs" c="dimmed">
          {t('annotate.nameFirstHint')}
        </Text>
      </Stack>
    </form>
  );
}
