import type { ImportPreview } from '../../../preload/contract/schema/formats.ts';
import { useText } from '../../i18n/index.ts';
import { Hint, ScrollArea, Stack, Table, Text } from '../../ui/kit.ts';
import { ChoiceRow } from './choice-row.tsx';
import classes from './dataset.module.css';
import { frameMatchings, type FrameMatching } from './import-choice.ts';

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
