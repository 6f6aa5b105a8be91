import { useText } from '../../i18n/index.ts';
import { TagsInput } from '../../ui/kit.ts';

interface PhrasesFieldProps {
  readonly phrases: readonly string[];
  readonly onChange: (phrases: readonly string[]) => void;
}

/** Phrases that a model looks for. A comma or Enter ends one. */
export function PhrasesField({ phrases, onChange }: PhrasesFieldProps) {
  const t = useText();
  return (
    <TagsInput
      size="xs"
      label={t('assist.phrases')}
      placeholder={phrases.length === 0 ? t('assist.phrasesExample') : ''}
      splitChars={[',']}
      maxTags={256}
      value={[...phrases]}
      onChange={(all) => onChange([...new Set(all.map((one) => one.trim()).filter(Boolean))])}
    />
  );
}
