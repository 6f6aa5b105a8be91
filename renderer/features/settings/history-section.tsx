import { useState } from 'react';
import { historyKinds, type HistoryKind } from '../../../preload/contract/schema/history.ts';
import { useText } from '../../i18n/index.ts';
import { HistoryList } from '../../shared/history-list.tsx';
import { Group, Select, Stack, useDebouncedValue } from '../../ui/kit.ts';
import { SectionHead } from '../../ui/section-head.tsx';
import { SearchField } from '../../ui/fields.tsx';

const pauseMs = 250;

export function HistorySection() {
  const t = useText();
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<HistoryKind | null>(null);
  const [searched] = useDebouncedValue(search.trim(), pauseMs);
  return (
    <Stack gap="md">
      <SectionHead title={t('history.title')} mb={0}>
        {t('history.intro')}
      </SectionHead>
      <Group gap="sm">
        <SearchField label={t('history.search')} value={search} onChange={setSearch} />
        <Select
          w={160}
          size="xs"
          aria-label={t('history.allKinds')}
          placeholder={t('history.allKinds')}
          clearable
          data={historyKinds.map((value) => ({ value, label: t(`history.kinds.${value}`) }))}
          value={kind}
          // The values come from the list.
          onChange={(value) => setKind(value as HistoryKind | null)}
        />
      </Group>
      <HistoryList of={{ ...(kind === null ? {} : { kind }), ...(searched === '' ? {} : { search: searched }) }} />
    </Stack>
  );
}
