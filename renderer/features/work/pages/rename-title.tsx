import { IconPencil } from '@tabler/icons-react';
import { useState, type SyntheticEvent } from 'react';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Group, Text, TextInput } from '../../../ui/kit.ts';

interface RenameTitleProps {
  readonly name: string;
  readonly onRename: (name: string) => void;
}

/** A heading that can be renamed in place: Enter saves, Escape cancels. */
export function RenameTitle({ name, onRename }: RenameTitleProps) {
  const t = useText();
  const [draft, setDraft] = useState<string | null>(null);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const next = draft?.trim() ?? '';
    if (next !== '' && next !== name) onRename(next);
    setDraft(null);
  };
  if (draft !== null) {
    return (
      <form onSubmit={submit}>
        <TextInput
          w="min(400px, 100%)"
          aria-label={t('common.name')}
          autoFocus
          maxLength={256}
          value={draft}
          onChange={setDraft}
          onBlur={submit}
          onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
        />
      </form>
    );
  }
  return (
    <Group component="span" gap={4} wrap="nowrap" miw={0}>
      <Text component="span" inherit truncate title={name}>
        {name}
      </Text>
      <IconButton
        label={t('common.rename')}
        icon={<IconPencil size={16} stroke={1.5} />}
        onClick={() => setDraft(name)}
      />
    </Group>
  );
}
