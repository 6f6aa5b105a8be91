import { useText } from '../../i18n/index.ts';
import { Radio, Stack } from '../../ui/kit.ts';
import type { Candidate } from './detect-format.ts';

interface FormatCandidatesProps {
  readonly candidates: readonly Candidate[];
  readonly format: string | null;
  readonly onChoose: (name: string) => void;
}

/** The formats that a file may be in, with what speaks for each: shown where there are several. */
export function FormatCandidates({ candidates, format, onChoose }: FormatCandidatesProps) {
  const t = useText();
  if (candidates.length < 2) return null;
  return (
    <Radio.Group label={t('importing.candidates')} value={format} onChange={onChoose}>
      <Stack gap={8} mt={8}>
        {candidates.map(({ name, reason }) => (
          <Radio key={name} value={name} label={name} description={reason} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
