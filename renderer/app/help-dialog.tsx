import { useState } from 'react';
import { actionText } from '../i18n/canvas-text.ts';
import { useText } from '../i18n/index.ts';
import { useHelp } from '../shared/commands.ts';
import { actionGroups, listedGroup, type ListedGroup } from '../shared/keys/action-groups.ts';
import { shortcutText, useKeymap } from '../shared/keys/keymap-store.ts';
import { SearchField } from '../ui/fields.tsx';
import { Dimmed, Group, Kbd, Modal, Stack, Text, Title } from '../ui/kit.ts';
import classes from './help-dialog.module.css';

const pointerKeys = [
  'wheel',
  'pan',
  'rectangle',
  'polygon',
  'freehand',
  'angle',
  'undoPoint',
  'vertex',
  'vertexAdd',
  'redraw',
  'vertexDelete',
  'rotate',
  'menu',
] as const;

interface Entry {
  readonly id: string;
  readonly what: string;
  readonly keys: readonly string[];
}

const Section = ({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) => (
  <section className={classes.section}>
    <Title order={3}>{title}</Title>
    {entries.map((entry) => (
      <div key={entry.id} className={classes.entry}>
        <span>{entry.what}</span>
        <Group gap={4} justify="flex-end">
          {entry.keys.map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
        </Group>
      </div>
    ))}
  </section>
);

const fits = ({ what, keys }: Entry, text: string): boolean =>
  [what, ...keys].some((words) => words.toLocaleLowerCase().includes(text.toLocaleLowerCase()));

/** Keys of the open screen, from the table that runs them, and pointer actions. */
const KeyList = () => {
  const t = useText();
  const { set, actions } = useHelp();
  const [typed, setTyped] = useState('');
  // Renders after changes of keys in any window.
  useKeymap();
  const all = (actions?.actions ?? []).flatMap((action): (Entry & { readonly group: ListedGroup })[] => {
    const keys = (actions?.shortcutsOf(action.id) ?? []).map(shortcutText);
    const shown = keys.length > 0 && !/^label\.(set)?[2-9]$/.test(action.id);
    return shown ? [{ id: action.id, group: listedGroup(action.group), what: actionText(action), keys }] : [];
  });
  const pointer = pointerKeys.map((id) => ({
    id,
    what: t(`help.pointer.${id}Does`),
    keys: [t(`help.pointer.${id}`)],
  }));
  const text = typed.trim();
  const sections = [
    { title: t('help.pointerTitle'), entries: pointer },
    ...actionGroups.map((group) => ({
      title: t(`help.groups.${group}`),
      entries: all.filter((entry) => entry.group === group),
    })),
  ]
    .map(({ title, entries }) => ({ title, entries: entries.filter((entry) => fits(entry, text)) }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <Modal opened onClose={() => set(false)} title={t('help.title')} size="xl">
      <Stack gap="md">
        <SearchField label={t('help.search')} value={typed} onChange={setTyped} />
        <Dimmed>
          {actions === null ? `${t('help.introElsewhere')} ${t('lists.keys')}` : t('help.intro')} {t('help.files')}
        </Dimmed>
        {sections.length === 0 && <Text fz="sm">{t('help.nothing', { text })}</Text>}
        <div className={classes.columns}>
          {sections.map(({ title, entries }) => (
            <Section key={title} title={title} entries={entries} />
          ))}
        </div>
      </Stack>
    </Modal>
  );
};

export const HelpDialog = () => (useHelp((state) => state.open) ? <KeyList /> : null);
