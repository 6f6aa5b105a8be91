import { useState, type ReactNode } from 'react';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { useText, type TextFunction } from '../../i18n/index.ts';
import { Dimmed, Group, Select } from '../../ui/kit.ts';
import { SearchField } from '../../ui/fields.tsx';
import { kindText } from './function/model-text.ts';

interface ModelsFilterProps {
  readonly models: readonly ModelFunction[];
  readonly children: (found: readonly ModelFunction[]) => ReactNode;
}

const waitMessage = (model: ModelFunction, t: TextFunction): string =>
  [model.name, model.title, model.namespace, model.project, kindText(model, t), ...model.labels.map(({ name }) => name)]
    .join(' ')
    .toLowerCase();

/** Filters models by words, kind and state, locally because the service returns all of them. */
export function ModelsFilter({ models, children }: ModelsFilterProps) {
  const t = useText();
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<string | null>(null);
  const [state, setState] = useState<string | null>(null);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((model) => {
    const said = waitMessage(model, t);
    return (
      words.every((word) => said.includes(word)) &&
      (kind === null || kindText(model, t) === kind) &&
      (state === null || model.state === state)
    );
  });
  const kinds = [...new Set(models.map((model) => kindText(model, t)))].toSorted();
  const states = [...new Set(models.map((model) => model.state))].toSorted();
  return (
    <>
      <Group gap="sm" mb={12} role="search">
        <SearchField label={t('models.search')} value={search} onChange={setSearch} />
        <Select
          w={168}
          size="xs"
          clearable
          aria-label={t('models.columnType')}
          placeholder={t('models.anyKind')}
          data={kinds}
          value={kind}
          onChange={setKind}
        />
        <Select
          w={168}
          size="xs"
          clearable
          aria-label={t('models.columnState')}
          placeholder={t('models.anyState')}
          data={states.map((value) => ({ value, label: t(`models.state.${value}`) }))}
          value={state}
          onChange={setState}
        />
      </Group>
      {found.length === 0 ? <Dimmed role="status">{t('models.nothingFound')}</Dimmed> : children(found)}
    </>
  );
}
