import { IconSearch, IconPlus, IconRestore, IconDownload, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useMemo, useState } from 'react';
import type { ActionDefinition } from '../../../canvas/action-table.ts';
import { actionText } from '../../../i18n/canvas-text.ts';
import { useText } from '../../../i18n/index.ts';
import { actionGroups, listedGroup, type ListedGroup } from '../../../shared/keys/action-groups.ts';
import { CaptureDialog, useActionName } from '../../../shared/keys/capture-dialog.tsx';
import { shortcutText, useKeymap } from '../../../shared/keys/keymap-store.ts';
import {
  type KeyedAction,
  labelActionId,
  labelOfAction,
  shortcutsOf,
  withLabels,
  conflictsOf,
  resetKeys,
  defaultKeymap,
  readKeymap,
  writeKeymap,
} from '../../../shared/keys/keymap.ts';
import {
  Alert,
  Group,
  QuietButton,
  Stack,
  Text,
  TextInput,
  Title,
  Kbd,
  UnstyledButton,
  Button,
  ChoiceField,
} from '../../../ui/kit.ts';
import { PageLoader, Problem } from '../../../ui/page.tsx';
import { SectionHead } from '../../../ui/section-head.tsx';
import type { Shortcut } from '../../../canvas/shortcuts.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import classes from './shortcuts.module.css';
import { ChooseFile } from '../../../shared/files/file-buttons.tsx';
import { saveFile } from '../../../shared/files/save-file.ts';
import { presetIds } from '../../../shared/keys/presets.ts';
import { ask } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/notify.ts';

function ShortcutsBar({ actions }: { readonly actions: readonly ActionDefinition[] }) {
  const t = useText();
  const { keymap, set } = useKeymap();
  const changed = Object.keys(keymap.changes).length;
  const readFile = async (file: File): Promise<void> => {
    const reading = readKeymap(await file.text(), actions);
    if ('problem' in reading) {
      notify.failure(t('keys.importFailed'), t(`keys.${reading.problem}`, { details: reading.details }));
      return;
    }
    set(reading.keymap);
    notify.success(t('keys.imported'));
  };
  const resetAll = async (): Promise<void> => {
    const isSure = await ask({
      title: t('keys.resetAllTitle'),
      text: t('keys.resetAllText', { count: changed }),
      confirm: t('keys.resetAll'),
    });
    if (isSure) set({ ...defaultKeymap, preset: keymap.preset });
  };
  return (
    <Group gap={8} align="flex-end">
      <ChoiceField
        label={t('keys.preset')}
        description={t('keys.presetHint')}
        flex={1}
        miw={260}
        data={presetIds.map((value) => ({ value, label: t(`keys.presets.${value}`) }))}
        value={keymap.preset}
        // The values come from the list above.
        onChange={(value) => set({ ...keymap, preset: value })}
      />
      <QuietButton
        leftSection={<IconDownload size={16} stroke={1.5} />}
        onClick={() => saveFile('limner-keys.json', new Blob([writeKeymap(keymap)], { type: 'application/json' }))}
      >
        {t('keys.export')}
      </QuietButton>
      <ChooseFile
        size="sm"
        accept="application/json,.json"
        leftSection={<IconUpload size={16} stroke={1.5} />}
        onFile={(file) => void readFile(file)}
      >
        {t('keys.import')}
      </ChooseFile>
      <Button
        variant="subtle"
        color="gray"
        disabled={changed === 0}
        leftSection={<IconRestore size={16} stroke={1.5} />}
        onClick={() => void resetAll()}
      >
        {t('keys.resetAll')}
      </Button>
    </Group>
  );
}

interface ShortcutRowProps {
  readonly action: KeyedAction;
  readonly name: string;
  readonly actions: readonly ActionDefinition[];
}

/** An action with its keys, each a button to change it; add and reset buttons. */
function ShortcutRow({ action, name, actions }: ShortcutRowProps) {
  const t = useText();
  const { keymap, set } = useKeymap();
  const nameOf = useActionName(actions);
  const [capture, setCapture] = useState<{ readonly instead: Shortcut | null } | null>(null);
  const all = withLabels(actions, keymap);
  const keys = shortcutsOf(action, keymap);
  const isChanged = keymap.changes[action.id] !== undefined;
  const shared = isChanged
    ? keys.flatMap((key) => {
        const names = conflictsOf(all, keymap, { id: action.id, shortcut: key }).map((conflict) => nameOf(conflict.id));
        return names.length === 0 ? [] : [{ key, names: names.join(', ') }];
      })
    : [];
  return (
    <div className={classes.row} data-action={action.id}>
      <div className={classes.name}>
        {name}
        {shared.map(({ key, names }) => (
          <Text key={key} fz="xs" className={classes.shared ?? ''}>
            {t('keys.alsoHas', { key: shortcutText(key), names })}
          </Text>
        ))}
      </div>
      <div className={classes.keys}>
        {keys.length === 0 && <span className={classes.none}>{t('keys.none')}</span>}
        {keys.map((key) => (
          <UnstyledButton
            key={key}
            className={classes.key ?? ''}
            aria-label={t('keys.change', { key: shortcutText(key), name })}
            onClick={() => setCapture({ instead: key })}
          >
            <Kbd size="xs">{shortcutText(key)}</Kbd>
          </UnstyledButton>
        ))}
      </div>
      <IconButton
        size="sm"
        label={t('keys.add', { name })}
        icon={<IconPlus size={15} stroke={1.5} />}
        onClick={() => setCapture({ instead: null })}
      />
      <IconButton
        size="sm"
        label={t('keys.resetOne', { name })}
        disabled={!isChanged}
        icon={<IconRestore size={15} stroke={1.5} />}
        onClick={() => set(resetKeys(all, keymap, action.id))}
      />
      {capture !== null && (
        <CaptureDialog actions={actions} id={action.id} instead={capture.instead} onClose={() => setCapture(null)} />
      )}
    </div>
  );
}

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
        {actions.isError && <Problem title={t('common.loadFailed')} message={actions.error} retry={actions.refetch} />}
        {actions.data !== undefined && <ShortcutList actions={actions.data} />}
      </Stack>
    </section>
  );
}
