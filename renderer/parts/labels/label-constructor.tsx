import { IconPlus } from '@tabler/icons-react';
import { useState, type SyntheticEvent } from 'react';
import { useText } from '../../i18n/index.ts';
import { Dimmed, Group, SmallButton, TextInput } from '../../ui/kit.ts';
import classes from './label-editor.module.css';
import { newLabelDraft, type LabelDraft } from './label-draft.ts';
import { LabelRow } from './label-row.tsx';

interface LabelConstructorProps {
  readonly drafts: readonly LabelDraft[];
  readonly onChange: (drafts: LabelDraft[]) => void;
}

/** Labels as rows, and a line to type the next one. */
export function LabelConstructor({ drafts, onChange }: LabelConstructorProps) {
  const t = useText();
  const [name, setName] = useState('');
  const wanted = name.trim();
  const exists = drafts.some((draft) => draft.name.trim() === wanted);
  const add = (event: SyntheticEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (wanted === '' || exists) return;
    onChange([...drafts, newLabelDraft(wanted, drafts)]);
    setName('');
  };
  return (
    <div className={classes.list}>
      {drafts.length === 0 && (
        <Dimmed p={12} pb={4}>
          {t('labels.emptyText')}
        </Dimmed>
      )}
      <div role="list">
        {drafts.map((draft) => (
          <LabelRow
            key={draft.key}
            label={draft}
            onChange={(next) => onChange(drafts.map((item) => (item.key === draft.key ? next : item)))}
            onRemove={() => onChange(drafts.filter((item) => item.key !== draft.key))}
          />
        ))}
      </div>
      <form className={classes.add} onSubmit={add}>
        <Group gap={8} wrap="nowrap">
          <TextInput
            size="xs"
            flex={1}
            aria-label={t('labels.addPlaceholder')}
            placeholder={t('labels.addPlaceholder')}
            maxLength={64}
            value={name}
            error={exists && wanted !== '' ? t('labels.problems.duplicate', { name: wanted }) : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <SmallButton type="submit" leftSection={<IconPlus size={14} />} disabled={wanted === '' || exists}>
            {t('labels.add')}
          </SmallButton>
        </Group>
      </form>
    </div>
  );
}
