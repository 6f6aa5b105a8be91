import { useEffect } from 'react';
import { actionText } from '../i18n/canvas-text.ts';
import { useText } from '../i18n/index.ts';
import { useHelp } from '../parts/commands/commands.ts';
import { actionGroups, listedGroup, type ListedGroup } from '../parts/keys/action-groups.ts';
import { shortcutText, useKeymap } from '../parts/keys/keymap-store.ts';
import { Dimmed, Group, Kbd, Modal, Stack, Title } from '../ui/kit.ts';
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

/** F1: keys of the open screen, from the same table that runs them, and what the pointer does. */
export function HelpDialog() {
  const t = useText();
  const { open, set, actions } = useHelp();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F1') return;
      event.preventDefault();
      set(!useHelp.getState().open);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [set]);
  // Drawn anew when keys are changed, in whichever window.
  useKeymap();
  if (!open) return null;
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
  return (
    <Modal opened onClose={() => set(false)} title={t('help.title')} size="xl">
      <Stack gap="md">
        <Dimmed>
          {actions === null ? `${t('help.introElsewhere')} ${t('lists.keys')}` : t('help.intro')} {t('help.files')}
        </Dimmed>
        <div className={classes.columns}>
          <Section title={t('help.pointerTitle')} entries={pointer} />
          {actionGroups.map((group) => {
            const entries = all.filter((entry) => entry.group === group);
            return entries.length === 0 ? null : (
              <Section key={group} title={t(`help.groups.${group}`)} entries={entries} />
            );
          })}
        </div>
      </Stack>
    </Modal>
  );
}
