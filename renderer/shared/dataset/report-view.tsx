import { useQuery } from '@tanstack/react-query';
import en from '../../i18n/en.json' with { type: 'json' };
import { type TextFunction, useText } from '../../i18n/index.ts';
import { sentenceReader } from '../../i18n/sentences.ts';
import type { OutputOf } from '../../../preload/contract/operation.ts';
import type { Operations } from '../../../preload/contract/operations/index.ts';
import { queries } from '../../api/queries.ts';
import { Group, Hint, Modal, ScrollArea, SmallButton, Stack, Table, Text } from '../../ui/kit.ts';
import { LongList } from '../../ui/long-list.tsx';
import { PageLoader } from '../../ui/page.tsx';
import { formatNumber } from '../../i18n/language.ts';

const { sentences, things } = en.reasons;
const { shape: shown } = en.annotate;
type Sentence = keyof typeof sentences;
type Thing = keyof typeof things;

interface Reason {
  readonly sentence: Sentence;
  readonly values: Readonly<Record<string, string>>;
  /** The object kind or property named in the reason. */
  readonly thing?: Thing;
}

const read = sentenceReader(sentences);

const isThing = (text: string): text is Thing => Object.hasOwn(things, text);
/** A sentence may name an object kind, such as `cuboid`. */
const thingOf = (text: string): Thing | undefined => [text, `${text}s`].find(isThing);

/** Known sentence of a format's reason; null for other texts. */
export function knownReason(rule: string): Reason | null {
  for (const { key: sentence, values } of read(rule)) {
    const { what } = values;
    if (what === undefined) return { sentence, values };
    const thing = thingOf(what);
    if (thing) return { sentence, values, thing };
  }
  return null;
}

/** A format's reason in the user's language; untranslated reasons stay unchanged. */
export function reasonText(t: TextFunction, rule: string): string {
  const reason = knownReason(rule);
  if (!reason) return rule;
  const { sentence, values, thing } = reason;
  // The placeholders come from the sentence's pattern, which types cannot express.
  const say = t as unknown as (key: string, given: Reason['values']) => string;
  const what = thing === undefined ? {} : { what: t(`reasons.things.${thing}`) };
  return say(`reasons.sentences.${sentence}`, { ...values, ...what });
}

const { types } = en.reasons;
const isOwnType = (type: string): type is keyof typeof types => Object.hasOwn(types, type);
const isShown = (type: string): type is keyof typeof shown => Object.hasOwn(shown, type);

export function typeText(t: TextFunction, type: string): string {
  if (isOwnType(type)) return t(`reasons.types.${type}`);
  return isShown(type) ? t(`annotate.shape.${type}`) : type;
}

export type Report = OutputOf<Operations['getRequestReport']>;

interface SectionProps {
  readonly title: string;
  readonly note?: string | undefined;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly more?: string | undefined;
}

export const ReportSection = ({ title, note, heads, rows, more }: SectionProps) => (
  <Stack gap={4}>
    <Text fw={600} fz="sm">
      {title}
    </Text>
    {note !== undefined && <Hint>{note}</Hint>}
    <ScrollArea.Autosize mah={224} type="auto">
      <Table fz="xs" verticalSpacing={4} horizontalSpacing={8} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head, at) => (
              <Table.Th key={head} ta={typeof rows[0]?.[at] === 'number' ? 'right' : undefined}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <LongList as="tbody" rowHeight={26}>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a finished report never move
            <Table.Tr key={index}>
              {row.map((cell, at) => (
                <Table.Td key={heads[at]} ta={typeof cell === 'number' ? 'right' : undefined}>
                  {typeof cell === 'number' ? formatNumber(cell) : cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </LongList>
      </Table>
    </ScrollArea.Autosize>
    {more !== undefined && <Text fz="xs">{more}</Text>}
  </Stack>
);

interface ReportViewProps {
  readonly report: Report;
  /** Undefined if unknown. */
  readonly of?: 'import' | 'export' | undefined;
  readonly name: string;
}

const sumOf = (rows: readonly { readonly count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);

function saveReport({ report, name }: ReportViewProps): void {
  const bytes = new Blob([`${JSON.stringify(report, null, 2)}\n`], { type: 'application/json' });
  const address = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name.replaceAll(/[\\/:*?"<>|]+/g, ' ').trim() || 'limner'} report.json`;
  link.click();
  // The download holds the bytes by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function ReportView(props: ReportViewProps) {
  const { report, of } = props;
  const t = useText();
  const { dropped, invalid, invalidCount, included, warnings } = report;
  // An export also reports converted objects.
  const isExport = of === 'export';
  const clean = dropped.length === 0 && invalidCount === 0 && warnings.length === 0;
  const counts = [
    t('report.countIncluded', { count: sumOf(included) }),
    t(isExport ? 'report.countNotWritten' : 'report.countDropped', { count: sumOf(dropped) }),
    t('report.countInvalid', { count: invalidCount }),
  ];
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text fz="sm" data-testid="report-counts">
          {clean ? t('report.allIncludedCount', { count: sumOf(included) }) : counts.join(' · ')}
        </Text>
        <SmallButton onClick={() => saveReport(props)}>{t('report.save')}</SmallButton>
      </Group>
      {dropped.length > 0 && (
        <ReportSection
          title={t(isExport ? 'report.notWritten' : 'report.dropped')}
          note={isExport ? t('report.droppedByExport') : undefined}
          heads={[t('report.type'), t('report.label'), t('report.rule'), t('report.count')]}
          rows={dropped.map((row) => [typeText(t, row.type), row.label, reasonText(t, row.rule), row.count])}
        />
      )}
      {invalidCount > 0 && (
        <ReportSection
          title={t('report.invalid')}
          heads={[t('report.file'), t('report.position'), t('report.reason')]}
          rows={invalid.map((row) => [row.file, row.at, row.reason])}
          more={
            invalidCount > invalid.length
              ? t('report.moreInvalid', { count: invalidCount - invalid.length })
              : undefined
          }
        />
      )}
      {warnings.length > 0 && (
        <ReportSection
          title={t('report.warnings')}
          heads={[t('report.reason')]}
          rows={warnings.map((text) => [text])}
        />
      )}
      {included.length > 0 && (
        <ReportSection
          title={t('report.included')}
          heads={[t('report.type'), t('report.label'), t('report.count')]}
          rows={included.map((row) => [typeText(t, row.type), row.label, row.count])}
        />
      )}
    </Stack>
  );
}

function RequestReport({ id }: { readonly id: string }) {
  const t = useText();
  const report = useQuery({ ...queries.requestReport(id), staleTime: Infinity, retry: false });
  if (report.isPending) return <PageLoader label={t('app.loading')} />;
  if (report.data === undefined) return <Text fz="sm">{t('report.none')}</Text>;
  return <ReportView report={report.data} of={/\baction=export\b/.test(id) ? 'export' : 'import'} name="" />;
}

export const ReportDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const t = useText();
  return (
    <Modal opened onClose={onClose} title={t('report.title')} size="lg">
      <RequestReport id={id} />
    </Modal>
  );
};
