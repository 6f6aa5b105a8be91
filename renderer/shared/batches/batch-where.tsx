import { useState } from 'react';
import type { FilterGroup } from '../../../preload/contract/object-filter/object-filter.ts';
import { useText } from '../../i18n/index.ts';
import { PartName, SegmentedControl, Stack } from '../../ui/kit.ts';
import { FilterForm, newRule } from '../filter/filter-form.tsx';
import { jobFields, taskFields } from '../lists/filter/list-fields.ts';
import { askedFilter, filterText, noConditions } from '../lists/filter/list-filter.ts';
import { useListWords } from '../lists/filter/list-words.ts';
import { ResourceSelect } from '../lists/resource-select.tsx';
import type { BatchTarget } from './batch-choice.ts';

const kinds = ['task', 'project', 'tasks', 'jobs'] as const;
type Kind = (typeof kinds)[number];

interface WhereProps {
  readonly onChange: (target: BatchTarget | null) => void;
}

/** Target of a batch that was not opened from a task or project. */
export function WhereField({ onChange }: WhereProps) {
  const t = useText();
  const [kind, setKind] = useState<Kind>('task');
  const [id, setId] = useState<number | null>(null);
  const choose = (next: number | null): void => {
    setId(next);
    onChange(next === null ? null : { kind, id: next, name: '' });
  };
  return (
    <Stack gap={6}>
      <PartName>{t('batches.where')}</PartName>
      <SegmentedControl
        aria-label={t('batches.where')}
        data={kinds.map((value) => ({ value, label: t(`batches.whereKinds.${value}`) }))}
        value={kind}
        onChange={(value) => {
          setKind(kinds.find((one) => one === value) ?? 'task');
          setId(null);
          onChange(null);
        }}
      />
      {kind === 'tasks' || kind === 'jobs' ? (
        <ByFilter key={kind} kind={kind} onChange={onChange} />
      ) : (
        <ResourceSelect
          key={kind}
          kind={kind}
          label={t(kind === 'task' ? 'batches.chooseTask' : 'batches.chooseProject')}
          placeholder={t(kind === 'task' ? 'batches.chooseTask' : 'batches.chooseProject')}
          value={id}
          onChange={choose}
        />
      )}
    </Stack>
  );
}

/** The list's filter, edited as in the list. */
function ByFilter({ kind, onChange }: WhereProps & { readonly kind: 'tasks' | 'jobs' }) {
  const { fields, byName, words } = useListWords(kind === 'tasks' ? taskFields : jobFields);
  const first = fields.find(({ kind: own }) => own === 'text');
  const [group, setGroup] = useState<FilterGroup>({
    ...noConditions,
    of: first === undefined ? [] : [newRule(first)],
  });
  return (
    <FilterForm
      group={group}
      fields={byName}
      words={words}
      onChange={(next) => {
        setGroup(next ?? noConditions);
        // The service expects timestamps instead of days.
        const filter = askedFilter(filterText(next ?? noConditions), fields);
        onChange(filter === undefined ? null : { kind, id: 0, name: '', filter });
      }}
    />
  );
}
