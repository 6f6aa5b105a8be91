import { useText } from '../../i18n/index.ts';
import { Radio, Stack } from '../../ui/kit.ts';
import type { Candidate } from './detect-format.ts';
import { hiddenLabel } from './choice-row.tsx';
import { FieldRow } from './field-row.tsx';

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
