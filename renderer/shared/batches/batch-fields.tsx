import { useState } from 'react';
import type { Filling, LabelChoice, PhraseLabels } from '../models/model-labels.ts';
import { useText } from '../../i18n/index.ts';
import {
  Group,
  MultiSelect,
  NumberInput,
  ChoiceField,
  PartName,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '../../ui/kit.ts';
import type { FilterGroup } from '../../../preload/contract/object-filter/object-filter.ts';
import { FilterForm, newRule } from '../filter/filter-form.tsx';
import { jobFields, taskFields, askedFilter, filterText, noConditions } from '../lists/filter/list-filter.ts';
import { useListWords } from '../lists/filter/filter-chips.tsx';
import { ResourceSelect } from '../lists/resource-select.tsx';

export interface BatchTarget {
  /** `tasks` and `jobs` are filtered lists. */
  readonly kind: 'project' | 'task' | 'job' | 'tasks' | 'jobs';
  readonly id: number;
  readonly filter?: string;
  readonly name: string;
  /** Only for a job: its task, which has the labels. */
  readonly taskId?: number;
  /** Known frames, from which a range can be chosen. */
  readonly frames?: { readonly first: number; readonly last: number };
}

export const resultKinds = ['annotations', 'suggestions', 'predictions'] as const;

export interface Chosen {
  readonly model: string | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly frames: 'all' | 'empty' | 'annotated';
  readonly withLabels: readonly string[];
  readonly withoutLabels: readonly string[];
  /** 0 uses the function's default. */
  readonly threshold: number;
  readonly labels: LabelChoice;
  /** Only for models that take phrases; null starts with those that are kept in the project. */
  readonly phrases: readonly string[] | null;
  readonly phraseLabels: PhraseLabels;
  /** Only for models that fill in attributes; null for the first that the task has. */
  readonly fill: Filling | null;
  readonly masksToPolygons: boolean;
  readonly results: (typeof resultKinds)[number];
  readonly name: string;
  readonly priority: number;
}

export const initial: Chosen = {
  model: null,
  first: null,
  last: null,
  frames: 'all',
  withLabels: [],
  withoutLabels: [],
  threshold: 0,
  labels: {},
  phrases: null,
  phraseLabels: {},
  fill: null,
  masksToPolygons: false,
  results: 'annotations',
  name: '',
  priority: 0,
};

export interface PartProps {
  readonly chosen: Chosen;
  readonly onChange: (change: Partial<Chosen>) => void;
}

export const numberOf = (value: number | string): number | null => (value === '' ? null : Number(value));

export function FrameRange({
  chosen,
  onChange,
  frames,
}: PartProps & { readonly frames: NonNullable<BatchTarget['frames']> }) {
  const t = useText();
  const { first, last } = frames;
  return (
    <Group grow gap="sm">
      <NumberInput
        label={t('batches.first')}
        placeholder={t('batches.from', { frame: first })}
        min={first}
        max={last}
        allowDecimal={false}
        value={chosen.first ?? ''}
        onChange={(value) => onChange({ first: numberOf(value) })}
      />
      <NumberInput
        label={t('batches.last')}
        placeholder={t('batches.to', { frame: last })}
        min={first}
        max={last}
        allowDecimal={false}
        value={chosen.last ?? ''}
        onChange={(value) => onChange({ last: numberOf(value) })}
      />
    </Group>
  );
}

/** Names of labels, because a filter's tasks have separate labels. */
export function PhraseLabelFields({ chosen: { phrases, phraseLabels }, onChange }: PartProps) {
  const t = useText();
  if (phrases === null || phrases.length === 0) return null;
  return (
    <Stack gap={6}>
      <PartName>{t('batches.phraseLabels')}</PartName>
      {phrases.map((phrase) => (
        <Group key={phrase} gap="sm" wrap="nowrap">
          <Text fz="sm" flex={1} truncate title={phrase}>
            {phrase}
          </Text>
          <TextInput
            size="xs"
            flex={1}
            aria-label={t('assist.labelFor', { name: phrase })}
            placeholder={phrase}
            value={phraseLabels[phrase] ?? ''}
            onChange={(name) => onChange({ phraseLabels: { ...phraseLabels, [phrase]: name } })}
          />
        </Group>
      ))}
    </Stack>
  );
}

const frameKinds = ['all', 'empty', 'annotated'] as const;

export function FramesByContent({ chosen, onChange, labels }: PartProps & { readonly labels: readonly string[] }) {
  const t = useText();
  const isEmpty = chosen.frames === 'empty';
  return (
    <>
      <ChoiceField
        label={t('batches.frames')}
        data={frameKinds.map((value) => ({ value, label: t(`batches.frameKinds.${value}`) }))}
        value={chosen.frames}
        onChange={(next) => onChange({ frames: frameKinds.find((kind) => kind === next) ?? 'all' })}
      />
      {!isEmpty && labels.length > 0 && (
        <Group grow gap="sm" align="flex-start">
          <MultiSelect
            label={t('batches.withLabels')}
            placeholder={chosen.withLabels.length === 0 ? t('batches.anyLabel') : ''}
            data={[...labels]}
            value={[...chosen.withLabels]}
            onChange={(withLabels) => onChange({ withLabels })}
          />
          <MultiSelect
            label={t('batches.withoutLabels')}
            placeholder={chosen.withoutLabels.length === 0 ? t('batches.noLabel') : ''}
            data={[...labels]}
            value={[...chosen.withoutLabels]}
            onChange={(withoutLabels) => onChange({ withoutLabels })}
          />
        </Group>
      )}
    </>
  );
}

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
