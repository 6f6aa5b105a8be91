import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { writeFilter } from '../../../../preload/contract/object-filter/filter-logic.ts';
import type { FilterGroup } from '../../../../preload/contract/object-filter/object-filter.ts';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { useText } from '../../../i18n/index.ts';
import { FilterForm, newRule } from '../../../shared/filter/filter-form.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Button, Hint, Textarea } from '../../../ui/kit.ts';
import { filterSentence, groupOf, objectFields } from './requirement-words.ts';
import classes from './requirements.module.css';

interface FilterProps {
  /** JSON Logic as text. */
  readonly filter: string;
  readonly labels: readonly Label[];
  readonly disabled: boolean;
  readonly save: { readonly isPending: boolean; readonly error: Error | null };
  readonly onChange: (filter: string, done: () => void) => void;
}

/** Filter of a requirement: a sentence, and a dialog that edits it. */
export function RequirementFilter({ filter, labels, disabled, save, onChange }: FilterProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const sentence = filterSentence(filter, labels, t);
  return (
    <div className={classes.filter}>
      {filter === '' ? (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={disabled}
          onClick={() => setOpen(true)}
        >
          {t('requirements.addFilter')}
        </Button>
      ) : (
        <span className={classes.chip}>
          <button
            type="button"
            title={sentence}
            disabled={disabled}
            aria-label={t('requirements.editFilter', { filter: sentence })}
            onClick={() => setOpen(true)}
          >
            {sentence}
          </button>
          {!disabled && (
            <IconButton
              size="xs"
              label={t('requirements.removeFilter')}
              icon={<IconX size={13} />}
              onClick={() => onChange('', () => undefined)}
            />
          )}
        </span>
      )}
      {isOpen && (
        <FilterDialog
          filter={filter}
          labels={labels}
          save={save}
          onSave={(next) => onChange(next, () => setOpen(false))}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

interface DialogProps extends Pick<FilterProps, 'filter' | 'labels' | 'save'> {
  readonly onSave: (filter: string) => void;
  readonly onClose: () => void;
}

const isComplete = (group: FilterGroup): boolean =>
  group.of.every((one) =>
    one.kind === 'group'
      ? isComplete(one)
      : one.relation === 'isSet' || one.relation === 'isNotSet' || one.values.some((value) => value !== ''),
  );

function FilterDialog({ filter, labels, save, onSave, onClose }: DialogProps) {
  const t = useText();
  const { byName, words } = objectFields(labels, t);
  const first = byName.get('label');
  const [group, setGroup] = useState<FilterGroup | null>(
    () =>
      groupOf(filter, labels) ??
      (filter === '' && first !== undefined ? { kind: 'group', join: 'all', of: [newRule(first)] } : null),
  );
  const [text, setText] = useState(filter);
  const isEmpty = group !== null && group.of.length === 0;
  return (
    <FormDialog
      title={t('requirements.filter')}
      size="lg"
      submit={t('requirements.useFilter')}
      isBusy={save.isPending}
      error={save.error?.message}
      isReady={group === null || isComplete(group)}
      onSubmit={() => onSave(group === null ? text : isEmpty ? '' : JSON.stringify(writeFilter(group)))}
      onClose={onClose}
    >
      <Hint>{t('requirements.filterHint')}</Hint>
      {group === null ? (
        <Textarea
          label={t('find.filter.json')}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          value={text}
          onChange={setText}
        />
      ) : (
        <FilterForm
          group={group}
          fields={byName}
          words={words}
          onChange={(next) => setGroup(next ?? { kind: 'group', join: 'all', of: [] })}
        />
      )}
    </FormDialog>
  );
}
