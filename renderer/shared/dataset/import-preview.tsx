import type { ImportPreview } from '../../../preload/contract/schema/formats.ts';
import { useText } from '../../i18n/index.ts';
import { Hint, ScrollArea, Stack, Table, Text, Radio, Button, Group, ChoiceField } from '../../ui/kit.ts';
import { LongList } from '../../ui/long-list.tsx';
import { ChoiceRow, hiddenLabel, FieldRow } from './field-row.tsx';
import classes from './dataset.module.css';
import {
  frameMatchings,
  type FrameMatching,
  decisionFor,
  type ImportChoice,
  type LabelDecision,
} from './import-choice.ts';
import type { Candidate } from './detect-format.ts';
import { formatNumber } from '../../i18n/language.ts';
import { typeText } from './report-view.tsx';

interface FramePreviewProps {
  readonly frames: ImportPreview['frames'];
  readonly matching: FrameMatching;
  readonly onChange: (matching: FrameMatching) => void;
}

const shownPairs = 50;

/** Matching of the file's images to the task's frames by each method, with unmatched ones. */
export function FramePreview({ frames, matching, onChange }: FramePreviewProps) {
  const t = useText();
  const { stated, total, matched, fitting, unmatched, unmatchedCount, pairs, silentCount } = frames;
  const isRenamed = pairs.some(({ file, frame }) => file !== frame);
  return (
    <Stack gap={4} className={classes.section}>
      <Text fw={600} fz="sm">
        {stated === 0
          ? t('importing.framesNumbered', { matched, total })
          : t('importing.framesFit', { fit: stated - unmatchedCount, count: stated })}
      </Text>
      {silentCount > 0 && <Hint>{t('importing.framesSilent', { count: silentCount, total })}</Hint>}
      {stated > 0 && (
        <ChoiceRow
          label={t('importing.matching')}
          value={matching}
          choices={frameMatchings.map((value) => ({
            value,
            label: t('importing.matchingCount', { how: t(`importing.matchings.${value}`), count: fitting[value] }),
          }))}
          onChange={onChange}
        />
      )}
      {unmatchedCount > 0 && (
        <Stack gap={2}>
          <Text fz="xs" fw={600}>
            {t('importing.framesUnmatched', { count: unmatchedCount })}
          </Text>
          <ScrollArea.Autosize mah={96} type="auto">
            <ul className={classes.names} data-testid="unmatched-images">
              {unmatched.map((name) => (
                <li key={name}>{name}</li>
              ))}
              {unmatchedCount > unmatched.length && (
                <li>{t('report.moreInvalid', { count: unmatchedCount - unmatched.length })}</li>
              )}
            </ul>
          </ScrollArea.Autosize>
        </Stack>
      )}
      {isRenamed && (
        <ScrollArea.Autosize mah={120} type="auto">
          <Table fz="xs" verticalSpacing={2} horizontalSpacing={8} stickyHeader data-testid="frame-pairs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('importing.imageInFile')}</Table.Th>
                <Table.Th>{t('importing.frame')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {pairs.slice(0, shownPairs).map(({ file, frame }) => (
                <Table.Tr key={`${file} ${frame}`}>
                  <Table.Td>{file}</Table.Td>
                  <Table.Td>{frame}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}

interface FormatCandidatesProps {
  readonly candidates: readonly Candidate[];
  readonly format: string | null;
  readonly onChoose: (name: string) => void;
}

/** Candidate formats of a file with reasons, shown if there are several. */
export function FormatCandidates({ candidates, format, onChoose }: FormatCandidatesProps) {
  const t = useText();
  return (
    <FieldRow label={t('importing.recognised')}>
      <Radio.Group label={t('importing.candidates')} styles={hiddenLabel} value={format} onChange={onChoose}>
        <Stack gap={4} py={6}>
          {candidates.map(({ name, reason }) => (
            <Radio
              key={name}
              value={name}
              label={name}
              description={reason}
              size="xs"
              styles={{ description: { fontSize: 'var(--mantine-font-size-xs)', marginTop: 0 } }}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FieldRow>
  );
}

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
          <LongList as="tbody" rowHeight={35}>
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
          </LongList>
        </Table>
      </ScrollArea.Autosize>
    </Stack>
  );
}
