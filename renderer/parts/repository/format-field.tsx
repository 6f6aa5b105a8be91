import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Select } from '../../ui/kit.ts';

interface FormatFieldProps {
  /** Null: no copy, Limner's own files only. */
  readonly format: string | null;
  readonly onChange: (format: string | null) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly isBusy?: boolean;
}

const none = '';

/** The format of the copy beside Limner's own files: any that annotations can be exported in. */
export function FormatField({ format, onChange, hint, error, isBusy = false }: FormatFieldProps) {
  const t = useText();
  const formats = useQuery(queries.formats());
  const names = (formats.data?.exporters ?? []).filter(({ enabled }) => enabled).map(({ name }) => name);
  const known = format === null || names.includes(format) ? names : [format, ...names];
  return (
    <Select
      label={t('git.format')}
      description={hint}
      error={error}
      data={[{ value: none, label: t('git.ownOnly') }, ...known.map((name) => ({ value: name, label: name }))]}
      value={format ?? none}
      searchable
      allowDeselect={false}
      disabled={isBusy}
      onChange={(value) => onChange(value === null || value === none ? null : value)}
    />
  );
}
