import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/field-errors.ts';
import { gitCalls, type GitOwner } from '../../../api/git-calls.ts';
import { gitQueries } from '../../../api/git-queries.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { FormError } from '../../../ui/form.tsx';
import { Button, Dimmed, Group, Stack, TextInput, Title, ChoiceField } from '../../../ui/kit.ts';

export function BindForm({ owner }: { readonly owner: GitOwner }) {
  const t = useText();
  const client = useQueryClient();
  const [given, setGiven] = useState({ address: '', branch: 'main', folder: '' });
  const [format, setFormat] = useState<string | null>(null);
  const { queryKey } = gitQueries.of(owner);
  const bind = useMutation({
    mutationFn: () => gitCalls.bind(owner, { ...given, format }),
    onSuccess: (state) => client.setQueryData(queryKey, state),
  });
  const { of, rest } = fieldErrors(bind.error, ['address', 'branch', 'folder', 'format']);
  const input = (field: keyof typeof given) => ({
    value: given[field],
    error: of[field],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (value: string) => setGiven((before) => ({ ...before, [field]: value })),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        bind.mutate();
      }}
    >
      <Stack gap="md" maw={640}>
        <div>
          <Title order={2}>{t('git.bindTitle')}</Title>
          <Dimmed mt={4}>{t(`git.${owner.kind}.bindText`)}</Dimmed>
        </div>
        <TextInput label={t('git.address')} description={t('git.addressHint')} {...input('address')} />
        <Group gap="sm" grow align="flex-start">
          <TextInput label={t('git.folder')} description={t(`git.${owner.kind}.folderHint`)} {...input('folder')} />
          <TextInput label={t('git.branch')} {...input('branch')} />
        </Group>
        <FormatField format={format} onChange={setFormat} hint={t('git.formatHint')} error={of.format} />
        <FormError text={rest} />
        <Group>
          <Button type="submit" loading={bind.isPending} disabled={given.address.trim() === ''}>
            {t('git.bind')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FormatFieldProps {
  /** Null for no copy, only Limner's own files. */
  readonly format: string | null;
  readonly onChange: (format: string | null) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly isBusy?: boolean;
}

const none = '';

export function FormatField({ format, onChange, hint, error, isBusy = false }: FormatFieldProps) {
  const t = useText();
  const formats = useQuery(queries.formats());
  const names = (formats.data?.exporters ?? []).filter(({ enabled }) => enabled).map(({ name }) => name);
  const known = format === null || names.includes(format) ? names : [format, ...names];
  return (
    <ChoiceField
      label={t('git.format')}
      description={hint}
      error={error}
      data={[{ value: none, label: t('git.ownOnly') }, ...known.map((name) => ({ value: name, label: name }))]}
      value={format ?? none}
      searchable
      disabled={isBusy}
      onChange={(value) => onChange(value === null || value === none ? null : value)}
    />
  );
}
