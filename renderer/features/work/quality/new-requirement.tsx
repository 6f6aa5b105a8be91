import { useState } from 'react';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type {
  RequirementItem,
  RequirementType,
  TargetMetric,
} from '../../../../preload/contract/schema/quality-requirements.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { useChange } from '../../../shared/use-change.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { ChoiceField, MultiSelect, NumberInput, Select, SimpleGrid, TextInput } from '../../../ui/kit.ts';
import { metricChoices, requirementName, typeChoices } from './requirement-words.ts';

interface NewRequirementProps {
  readonly settingsId: number;
  readonly items: readonly RequirementItem[];
  readonly labels: readonly Label[];
  readonly parentId: number;
  readonly onCreated: (id: number) => void;
  readonly onClose: () => void;
}

const labelFilter = (names: readonly string[]): string =>
  names.length === 0 ? '' : JSON.stringify({ and: [{ in: [{ var: 'label' }, names] }] });

/** The fields that most requirements need. The form beside the list has the others. */
export function NewRequirement({ settingsId, items, labels, parentId, onCreated, onClose }: NewRequirementProps) {
  const t = useText();
  const [name, setName] = useState('');
  const [parent, setParent] = useState(String(parentId));
  const [names, setNames] = useState<readonly string[]>([]);
  const [type, setType] = useState<RequirementType | null>(null);
  const [metric, setMetric] = useState<TargetMetric | null>(null);
  const [score, setScore] = useState<number | ''>('');
  const siblings = items.filter((item) => String(item.parent_requirement ?? parentId) === parent);
  const create = useChange(
    () =>
      call('createQualityRequirement', {
        body: {
          settings_id: settingsId,
          name: name.trim(),
          parent_requirement: Number(parent),
          sort_order: Math.max(-1, ...siblings.map((item) => item.sort_order)) + 1,
          filter: labelFilter(names),
          annotation_type: type,
          metric,
          required_score: score === '' ? null : score,
        },
      }),
    {
      reloads: [
        ['quality', 'settings'],
        ['quality', 'requirement'],
      ],
      done: ({ id }) => {
        onCreated(id);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={t('requirements.newTitle')}
      submit={t('requirements.add')}
      change={create}
      isReady={name.trim() !== ''}
      onClose={onClose}
    >
      <TextInput label={t('requirements.name')} required maxLength={250} value={name} onChange={setName} />
      <ChoiceField
        label={t('requirements.parent')}
        description={t('requirements.parentHint')}
        data={items.map((item) => ({ value: String(item.id), label: requirementName(item, t) }))}
        value={parent}
        onChange={setParent}
      />
      <MultiSelect
        label={t('requirements.labels')}
        placeholder={names.length === 0 ? t('requirements.allLabels') : ''}
        searchable
        clearable
        data={labels.map((label) => label.name)}
        value={[...names]}
        onChange={setNames}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select
          label={t('requirements.type')}
          placeholder={t('requirements.inherited')}
          clearable
          data={typeChoices(t)}
          value={type}
          onChange={setType}
        />
        <Select
          label={t('requirements.metric')}
          placeholder={t('requirements.inherited')}
          clearable
          data={metricChoices(t)}
          value={metric}
          onChange={setMetric}
        />
        <NumberInput
          label={t('requirements.requiredScore')}
          placeholder={t('requirements.inherited')}
          min={0}
          max={1}
          step={0.05}
          value={score}
          onChange={(value) => setScore(value === '' ? '' : Number(value))}
        />
      </SimpleGrid>
    </FormDialog>
  );
}
