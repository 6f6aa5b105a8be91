import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useMemo, useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import type { ActionDefinition } from '../../../canvas/action-table.ts';
import { actionText } from '../../../i18n/canvas-text.ts';
import { useText } from '../../../i18n/index.ts';
import { actionGroups, listedGroup, type ListedGroup } from '../../../shared/keys/action-groups.ts';
import { CaptureDialog } from '../../../shared/keys/capture-dialog.tsx';
import { shortcutText, useKeymap } from '../../../shared/keys/keymap-store.ts';
import {
  type KeyedAction,
  labelActionId,
  labelOfAction,
  shortcutsOf,
  withLabels,
} from '../../../shared/keys/keymap.ts';
import { Alert, Group, QuietButton, Stack, Text, TextInput, Title } from '../../../ui/kit.ts';
import { PageLoader, Problem } from '../../../ui/page.tsx';
import { SectionHead } from '../../../ui/section-head.tsx';
import { ShortcutRow } from './shortcut-row.tsx';
import { ShortcutsBar } from './shortcuts-bar.tsx';

function LabelKeyForm({ actions }: { readonly actions: readonly ActionDefinition[] }) {
  const t = useText();
  const [name, setName] = useState('');
  const [labelName, setLabelName] = useState<string | null>(null);
  const ask = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') setLabelName(name.trim());
  };
  const close = (): void => {
    setLabelName(null);
    setName('');
  };
  return (
    <form onSubmit={ask}>
      <Group gap={8} align="flex-end" mt={8}>
        <TextInput
          flex={1}
          maxLength={64}
          label={t('keys.labelName')}
          description={t('keys.labelHint')}
          value={name}
          onChange={setName}
        />
        <QuietButton type="submit" disabled={name.trim() === ''}>
          {t('keys.labelSetKey')}
        </QuietButton>
      </Group>
      {labelName !== null && (
        <CaptureDialog actions={actions} id={labelActionId(labelName)} instead={null} only onClose={close} />
      )}
    </form>
  );
}

export interface ShortcutsProps {
  readonly loadActions: () => Promise<readonly ActionDefinition[]>;
}

interface Line {
  readonly action: KeyedAction;
  readonly name: string;
  readonly group: ListedGroup;
}

function useLines(actions: readonly ActionDefinition[]): readonly Line[] {
  const t = useText();
  const { keymap } = useKeymap();
  return useMemo(() => {
    const named = new Map(actions.map((action) => [action.id, action]));
    return withLabels(actions, keymap).map((action): Line => {
      const known = named.get(action.id);
      if (known !== undefined) return { action, name: actionText(known), group: listedGroup(known.group) };
      const name = labelOfAction(action.id) ?? action.id;
      return { action, name: t('keys.labelNamed', { name }), group: 'labelKeys' };
    });
  }, [actions, keymap, t]);
}

const ShortcutList = ({ actions }: { readonly actions: readonly ActionDefinition[] }) => {
  const t = useText();
  const { keymap, isKept, layout } = useKeymap();
  const [search, setSearch] = useState('');
  const lines = useLines(actions);
  const found = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    if (wanted === '') return lines;
    return lines.filter(({ name, action }) =>
      [name, ...shortcutsOf(action, keymap).map(shortcutText)].some((text) => text.toLowerCase().includes(wanted)),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- keys are written as the layout says
  }, [search, lines, keymap, layout]);
  return (
    <>
      <ShortcutsBar actions={actions} />
      {!isKept && <Alert color="yellow">{t('keys.notKept')}</Alert>}
      <TextInput
        aria-label={t('keys.search')}
        placeholder={t('keys.search')}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        value={search}
        onChange={setSearch}
      />
      {found.length === 0 && <Text fz="sm">{t('keys.nothing')}</Text>}
      {actionGroups.map((group) => {
        const members = found.filter((line) => line.group === group);
        if (members.length === 0 && (group !== 'labelKeys' || search !== '')) return null;
        return (
          <section key={group} aria-label={t(`help.groups.${group}`)}>
            <Title order={3} mb={4}>
              {t(`help.groups.${group}`)}
            </Title>
            {members.map(({ action, name }) => (
              <ShortcutRow key={action.id} action={action} name={name} actions={actions} />
            ))}
            {group === 'labelKeys' && search === '' && <LabelKeyForm actions={actions} />}
          </section>
        );
      })}
    </>
  );
};

/** All actions with their keys: search, change, reset, export, import. */
export function ShortcutsSection({ loadActions }: ShortcutsProps) {
  const t = useText();
  const actions = useQuery({ queryKey: ['actions'], queryFn: loadActions, staleTime: Infinity, retry: false });
  return (
    <section>
      <SectionHead title={t('keys.title')}>{t('keys.intro')}</SectionHead>
      <Stack gap={16}>
        {actions.isPending && <PageLoader label={t('app.loading')} />}
        {actions.isError && (
          <Problem
            title={t('common.loadFailed')}
            message={messageOf(actions.error)}
            retry={{ label: t('common.retry'), run: () => void actions.refetch() }}
          />
        )}
        {actions.data !== undefined && <ShortcutList actions={actions.data} />}
      </Stack>
    </section>
  );
}
