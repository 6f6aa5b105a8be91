import type { ImportPreview } from '../../../preload/contract/schema/formats.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Group, ScrollArea, Stack, Table, Text, ChoiceField } from '../../ui/kit.ts';
import classes from './dataset.module.css';
import { decisionFor, type ImportChoice, type LabelDecision } from './import-choice.ts';
import { formatNumber } from '../../i18n/language.ts';
import { typeText } from './reason-text.ts';

interface LabelTableProps {
  readonly preview: ImportPreview;
  readonly labels: readonly string[];
  readonly choice: ImportChoice;
  readonly onChange: (labels: ImportChoice['labels']) => void;
}

const mapPrefix = 'map:';
const valueOf = (decision: LabelDecision, name: string): string => {
  if (decision.kind === 'same') return `${mapPrefix}${name}`;
  return decision.kind === 'map' ? `${mapPrefix}${decision.to}` : decision.kind;
};
const decisionOf = (value: string, name: string): LabelDecision => {
  if (value === 'create' || value === 'skip') return { kind: value };
  const to = value.slice(mapPrefix.length);
  return to === name ? { kind: 'same' } : { kind: 'map', to };
};

/** Handling of each label of the file: create, map to an existing one, or leave out. */
export function LabelTable({ preview, labels, choice, onChange }: LabelTableProps) {
  const t = useText();
  const rows = preview.labels.toSorted((a, b) => Number(a.known) - Number(b.known) || a.name.localeCompare(b.name));
  const unknown = rows.filter(({ known }) => !known);
  const decideAll = (kind: 'create' | 'skip'): void =>
    onChange({ ...choice.labels, ...Object.fromEntries(unknown.map(({ name }) => [name, { kind } as const])) });
  return (
    <Stack gap={4} className={classes.section}>
      <Group justify="space-between" mih={26}>
        <Text fw={600} fz="sm">
          {unknown.length === 0
            ? t('importing.labelsKnown', { count: rows.length })
            : t('importing.labelsUnknown', { count: unknown.length })}
        </Text>
        {unknown.length > 1 && (
          <Group gap={4}>
            <Button size="compact-xs" variant="subtle" onClick={() => decideAll('create')}>
              {t('importing.createAll')}
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => decideAll('skip')}>
              {t('importing.skipAll')}
            </Button>
          </Group>
        )}
      </Group>
      <ScrollArea.Autosize mah={232} type="auto">
        <Table fz="xs" verticalSpacing={2} horizontalSpacing={8} stickyHeader className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('importing.labelInFile')}</Table.Th>
              <Table.Th className={classes.number}>{t('importing.objects')}</Table.Th>
              <Table.Th>{t('report.type')}</Table.Th>
              <Table.Th w={220}>{t('importing.becomes')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((label) => (
              <Table.Tr key={label.name}>
                <Table.Td title={label.name}>{label.name}</Table.Td>
                <Table.Td className={classes.number}>{formatNumber(label.count)}</Table.Td>
                <Table.Td>{label.types.map((type) => typeText(t, type)).join(', ')}</Table.Td>
                <Table.Td>
                  <ChoiceField
                    size="xs"
                    aria-label={t('importing.becomesOf', { name: label.name })}
                    data={[
                      ...(label.known ? [] : [{ value: 'create', label: t('importing.createLabel') }]),
                      { value: 'skip', label: t('importing.skipLabel') },
                      ...labels.map((name) => ({ value: `${mapPrefix}${name}`, label: name })),
                    ]}
                    value={valueOf(decisionFor(choice, label, labels), label.name)}
                    searchable={labels.length > 8}
                    onChange={(value) =>
                      value !== null && onChange({ ...choice.labels, [label.name]: decisionOf(value, label.name) })
                    }
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </Stack>
  );
}
