import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { GitBinding, GitSkipped, GitTask } from '../../../../preload/contract/schema/git.ts';
import { gitCalls, type GitOwner } from '../../../api/git-calls.ts';
import { gitQueries } from '../../../api/git-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { ask } from '../../../ui/confirm.tsx';
import {
  Box,
  Code,
  Dimmed,
  Group,
  SmallButton,
  Stack,
  Text,
  Button,
  TextInput,
  Title,
  ChoiceField,
} from '../../../ui/kit.ts';
import { joined } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Conflicts } from '../../../shared/conflicts/conflicts.tsx';
import { CopyChanges, differenceText, CommitList, UnpushedList } from './copy-changes.tsx';
import { ExchangeForm, HostDialog, LossesDialog } from './exchange-form.tsx';
import { useExchange } from './use-exchange.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { queries } from '../../../api/queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { FormError } from '../../../ui/form.tsx';

export function RepositoryPanel({ owner }: { readonly owner: GitOwner }) {
  const state = useQuery({ ...gitQueries.of(owner), refetchOnMount: 'always' });
  return (
    <Loaded query={state}>
      {({ binding, to_push: toPush, is_copy_outdated: isCopyOld, skipped }) =>
        binding === null ? (
          <BindForm owner={owner} />
        ) : (
          <Bound owner={owner} binding={binding} toPush={toPush} isCopyOld={isCopyOld} skipped={skipped} />
        )
      }
    </Loaded>
  );
}

interface BoundProps {
  readonly owner: GitOwner;
  readonly binding: GitBinding;
  readonly toPush: GitTask['to_push'];
  readonly isCopyOld: boolean;
  readonly skipped: readonly GitSkipped[];
}

function Bound({ owner, binding, toPush, isCopyOld, skipped }: BoundProps) {
  const t = useText();
  const exchange = useExchange(owner, binding);
  const what = toPush === null ? '' : differenceText(t, toPush);
  const state = what === '' ? t(binding.base === null ? 'git.never' : 'git.upToDate') : t('git.toPush', { what });
  return (
    <Stack gap="lg">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={4} style={{ minWidth: 0 }}>
          <Text fz="sm" truncate title={binding.address}>
            <Code>{binding.address}</Code>
          </Text>
          <Dimmed>
            {joined([`${t('git.branch')} ${binding.branch}`, binding.folder === '' ? null : binding.folder])}
          </Dimmed>
        </Stack>
        {binding.project_id === null ? <UnbindButton owner={owner} /> : <OfProject projectId={binding.project_id} />}
      </Group>
      <CopyFormat owner={owner} binding={binding} />
      <div>
        <Text fz="sm" data-testid="git-state">
          {state}
        </Text>
        {isCopyOld && <Dimmed>{copyText(t, binding)}</Dimmed>}
      </div>
      <ExchangeForm exchange={exchange} />
      <UnpushedList skipped={skipped} />
      <CopyChanges
        copies={exchange.copies}
        namesTasks={owner.kind === 'project'}
        isBusy={exchange.running !== null}
        onDecided={exchange.decideOnCopy}
      />
      {exchange.conflicts !== null && (
        <Conflicts
          namesTasks={owner.kind === 'project'}
          conflicts={exchange.conflicts.shown}
          deletedThere={t('git.theyDeleted')}
          count={exchange.conflicts.count}
          isBusy={exchange.running !== null}
          onDecided={exchange.decide}
        />
      )}
      {binding.base !== null && <CommitList owner={owner} base={binding.base} />}
      {exchange.losses !== null && (
        <LossesDialog
          format={exchange.losses.format}
          losses={exchange.losses.found}
          onAccept={exchange.acceptLosses}
          onClose={exchange.leaveLosses}
        />
      )}
      {exchange.host !== null && (
        <HostDialog host={exchange.host} onConfirm={exchange.confirmHost} onClose={exchange.leaveHost} />
      )}
    </Stack>
  );
}

const copyText = (t: ReturnType<typeof useText>, { format }: GitBinding): string =>
  format === null ? t('git.copyGoes') : t('git.copyOld', { format });

function CopyFormat({ owner, binding }: Pick<BoundProps, 'owner' | 'binding'>) {
  const t = useText();
  const { queryKey } = gitQueries.of(owner);
  const choose = useChange(
    (format: string | null) =>
      gitCalls.bind(owner, { address: binding.address, branch: binding.branch, folder: binding.folder, format }),
    { keeps: queryKey, failed: t('git.format') },
  );
  if (binding.project_id !== null)
    return binding.format === null ? null : <Dimmed>{t('git.copyIn', { format: binding.format })}</Dimmed>;
  return (
    <Box maw={640}>
      <FormatField
        format={binding.format}
        {...(binding.format === null ? { hint: t('git.formatHint') } : {})}
        isBusy={choose.isPending}
        onChange={(format) => choose.mutate(format)}
      />
    </Box>
  );
}

function OfProject({ projectId }: { readonly projectId: number }) {
  const t = useText();
  return (
    <Link to="/projects/$projectId" params={{ projectId: String(projectId) }} search={{ tab: 'repository' }}>
      {t('git.ofProject')}
    </Link>
  );
}

function UnbindButton({ owner }: { readonly owner: GitOwner }) {
  const t = useText();
  const unbind = useChange(() => gitCalls.unbind(owner), {
    reloads: [gitQueries.of(owner).queryKey],
    failed: t('git.unbind'),
  });
  const askAndUnbind = async (): Promise<void> => {
    const words = { confirm: t('git.unbind'), danger: false };
    if (await ask({ title: t(`git.${owner.kind}.unbindTitle`), text: t(`git.${owner.kind}.unbindText`), ...words }))
      unbind.mutate();
  };
  return (
    <SmallButton loading={unbind.isPending} onClick={() => void askAndUnbind()}>
      {t('git.unbind')}
    </SmallButton>
  );
}

function BindForm({ owner }: { readonly owner: GitOwner }) {
  const t = useText();
  const [given, setGiven] = useState({ address: '', branch: 'main', folder: '' });
  const [format, setFormat] = useState<string | null>(null);
  const { queryKey } = gitQueries.of(owner);
  const bind = useChange(() => gitCalls.bind(owner, { ...given, format }), { keeps: queryKey });
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

function FormatField({ format, onChange, hint, error, isBusy = false }: FormatFieldProps) {
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
