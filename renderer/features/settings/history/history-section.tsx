import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { historyKinds, type HistoryKind } from '../../../../preload/contract/schema/history.ts';
import { useText } from '../../../i18n/index.ts';
import { HistoryList } from '../../../parts/history/history-list.tsx';
import { Group, Select, Stack, Text, TextInput, Title, useDebouncedValue } from '../../../ui/kit.ts';

const pauseMs = 250;

/** Who has changed what on the whole workbench. */
export function HistorySection() {
  const t = useText();
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<HistoryKind | null>(null);
  const [asked] = useDebouncedValue(search.trim(), pauseMs);
  return (
    <Stack gap="md">
      <div>
        <Title order={2} mb={4}>
          {t('history.title')}
        </Title>
        <Text fz="sm" c="dimmed">
          {t('history.intro')}
        </Text>
      </div>
      <Group gap="sm">
        <TextInput
          w={280}
          size="xs"
          leftSection={<IconSearch size={14} />}
          placeholder={t('history.search')}
          aria-label={t('history.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Select
          w={160}
          size="xs"
          aria-label={t('history.allKinds')}
          placeholder={t('history.allKinds')}
          clearable
          data={historyKinds.map((value) => ({ value, label: t(`history.kinds.${value}`) }))}
          value={kind}
          // The values are those of the list.
          onChange={(value) => setKind(value as HistoryKind | null)}
        />
      </Group>
      <HistoryList of={{ ...(kind === null ? {} : { kind }), ...(asked === '' ? {} : { search: asked }) }} />
    </Stack>
  );
}
