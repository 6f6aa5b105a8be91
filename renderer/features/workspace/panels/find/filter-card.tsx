import { IconBookmark, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import { useText } from '../../../../i18n/index.ts';
import { FilterForm } from '../../../../shared/filter/filter-form.tsx';
import { FilterFrame, type FilterView, NameField } from '../../../../shared/filter/filter-frame.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Button, Group, Menu } from '../../../../ui/kit.ts';
import { notify } from '../../../../ui/notify.ts';
import { useSession, useWorkspace } from '../session-context.ts';
import chips from '../chips.module.css';
import classes from './find.module.css';
import { objectWords } from './field-text.ts';
import { MatchCount } from './match-count.tsx';
import { FilterJson } from './filter-json.tsx';
import { useFilter } from './use-filter.ts';

const shortText = (logic: JsonLogic): string =>
  JSON.stringify(logic)
    .replaceAll(/[{}"[\]]|var:/g, ' ')
    .slice(0, 80);

const KeptRow = () => {
  const t = useText();
  const { find } = useSession();
  const kept = useFilter((state) => state.kept);
  const name = useFilter((state) => state.name);
  const use = (logic: JsonLogic): void => {
    const problem = find.filter.use(logic);
    if (problem !== null) notify.hint('filter', t('find.filter.notHere', { problem }));
  };
  if (kept.saved.length + kept.recent.length === 0) return null;
  return (
    <Group gap={6} flex="none" px={12} pb={8}>
      {kept.saved.map((filter) => (
        <Group key={filter.name} gap={0} wrap="nowrap">
          <button
            type="button"
            className={chips.chip}
            aria-pressed={filter.name === name}
            onClick={() => (filter.name === name ? find.filter.clear() : use(filter.logic))}
          >
            <IconBookmark size={13} stroke={1.5} />
            <span className={chips.name}>{filter.name}</span>
          </button>
          {filter.name === name && (
            <IconButton
              size="xs"
              label={t('find.filter.forget', { name: filter.name })}
              icon={<IconX size={12} />}
              onClick={() => find.filter.drop(filter.name)}
            />
          )}
        </Group>
      ))}
      {kept.recent.length > 0 && (
        <Menu position="bottom-end" width={360}>
          <Menu.Target>
            <Button size="compact-xs" variant="subtle" color="gray">
              {t('find.filter.recent')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kept.recent.map((logic) => (
              <Menu.Item key={JSON.stringify(logic)} onClick={() => use(logic)} title={JSON.stringify(logic)}>
                {shortText(logic)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
};

/** Shows the name field only on demand. */
const SaveAs = () => {
  const t = useText();
  const { find } = useSession();
  const isOn = useFilter((state) => state.logic !== null);
  const known = useFilter((state) => state.name);
  const [name, setName] = useState<string | null>(null);
  if (name === null) {
    return (
      <Button size="xs" variant="default" disabled={!isOn} onClick={() => setName(known ?? '')}>
        {t('find.filter.saveAs')}
      </Button>
    );
  }
  const save = (): void => {
    if (name.trim() !== '') find.filter.save(name.trim());
    setName(null);
  };
  return (
    <NameField
      label={t('find.filter.name')}
      value={name}
      onChange={setName}
      onDone={save}
      onGiveUp={() => setName(null)}
    />
  );
};

const Card = () => {
  const t = useText();
  const { find } = useSession();
  const { actions } = useWorkspace();
  const card = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<FilterView>('form');
  const draft = useFilter((state) => state.draft);
  const isOn = useFilter((state) => state.logic !== null);
  useEffect(() => {
    const before = document.activeElement;
    card.current?.focus();
    return () => (before instanceof HTMLElement && before !== document.body ? before.focus() : undefined);
  }, []);
  return (
    <FilterFrame
      card={card}
      title={t('find.filter.title')}
      className={classes.card}
      view={view}
      jsonLabel={t('find.filter.json')}
      onView={setView}
      onClose={() => find.filter.setOpen(false)}
      above={<KeptRow />}
      foot={
        <>
          <MatchCount />
          <Button size="xs" variant="subtle" color="gray" disabled={!isOn} onClick={find.filter.clear}>
            {t('find.filter.clearShort')}
          </Button>
          <SaveAs />
          <Button size="xs" variant="default" disabled={!isOn} onClick={() => actions.run('find.previousMatch')}>
            {t('find.filter.previous')}
          </Button>
          <Button size="xs" disabled={!isOn} onClick={() => actions.run('find.nextMatch')}>
            {t('find.filter.next')}
          </Button>
        </>
      }
    >
      {view === 'form' ? (
        <FilterForm
          group={draft}
          fields={find.filter.fields()}
          words={objectWords(t)}
          onChange={(next) => (next === null ? find.filter.clear() : find.filter.write(next))}
        />
      ) : (
        <FilterJson />
      )}
    </FilterFrame>
  );
};

/** Shown over the image, because objects appear and disappear while the user edits the filter. */
export const FilterCard = () => (useFilter((state) => state.open) ? <Card /> : null);
