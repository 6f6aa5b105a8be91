import { useState, type SyntheticEvent } from 'react';
import type { Action } from '../../../canvas/action-table.ts';
import { useText } from '../../../i18n/index.ts';
import { CaptureDialog } from '../../../parts/keys/capture-dialog.tsx';
import { labelActionId } from '../../../parts/keys/keymap.ts';
import { Group, QuietButton, TextInput } from '../../../ui/kit.ts';

/** A key for any label, by its name: as many as one likes. */
export function LabelKeyForm({ actions }: { readonly actions: readonly Action[] }) {
  const t = useText();
  const [name, setName] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const ask = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') setAsked(name.trim());
  };
  const close = (): void => {
    setAsked(null);
    setName('');
  };
  return (
    <form onSubmit={ask}>
      <Group gap={8} align="flex-end" mt={8}>
        <TextInput
          flex={1}
          maxLength={64}
          label={t('keys.labelName')}
          description={t('keys.labelHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <QuietButton type="submit" disabled={name.trim() === ''}>
          {t('keys.labelSetKey')}
        </QuietButton>
      </Group>
      {asked !== null && (
        <CaptureDialog actions={actions} id={labelActionId(asked)} instead={null} only onClose={close} />
      )}
    </form>
  );
}
