import { IconBookmark, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import { useText } from '../../../../i18n/index.ts';
import { FilterForm } from '../../../../parts/filter/filter-form.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Button, Menu, SegmentedControl, TextInput } from '../../../../ui/kit.ts';
import { notify } from '../../../../ui/notify.ts';
import { useSession, useWorkspace } from '../../session-context.ts';
import { useFilter } from '../use-find.ts';
import chips from '../../chips.module.css';
import classes from '../find.module.css';
import { objectWords } from './field-text.ts';
import { MatchCount } from './match-count.tsx';
import { FilterJson } from './filter-json.tsx';

/** A line that tells filters apart in a menu. */
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
    <div className={classes.kept}>
      {kept.saved.map((filter) => (
        <span key={filter.name} className={classes.keptOne}>
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
        </span>
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
    </div>
  );
};

/** Asks for the name only when it is wanted. */
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
    <TextInput
      size="xs"
      w={160}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it stands in the place of the button that was just pressed
      autoFocus
      aria-label={t('find.filter.name')}
      placeholder={t('find.filter.name')}
      maxLength={64}
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        setName(null);
      }}
    />
  );
};

const Card = () => {
  const t = useText();
  const { find } = useSession();
  const { actions } = useWorkspace();
  const card = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<'form' | 'json'>('form');
  const draft = useFilter((state) => state.draft);
  const isOn = useFilter((state) => state.logic !== null);
  useEffect(() => {
    const before = document.activeElement;
    card.current?.focus();
    return () => (before instanceof HTMLElement && before !== document.body ? before.focus() : undefined);
  }, []);
  const onKey = (event: KeyboardEvent): void => {
    // An open list of choices closes first.
    const isListOpen = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
    if (event.key !== 'Escape' || event.defaultPrevented || isListOpen) return;
    event.preventDefault();
    find.filter.setOpen(false);
  };
  return (
    <div
      ref={card}
      className={classes.card}
      role="dialog"
      aria-label={t('find.filter.title')}
      tabIndex={-1}
      onKeyDown={onKey}
    >
      <div className={classes.cardHead}>
        <h2 className={classes.cardTitle}>{t('find.filter.title')}</h2>
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(value) => setView(value)}
          data={[
            { value: 'form', label: t('find.filter.form') },
            { value: 'json', label: t('find.filter.json') },
          ]}
        />
        <IconButton
          size="sm"
          label={t('common.close')}
          icon={<IconX size={16} />}
          onClick={() => find.filter.setOpen(false)}
        />
      </div>
      <KeptRow />
      <div className={classes.cardBody}>
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
      </div>
      <div className={classes.cardFoot}>
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
      </div>
    </div>
  );
};

/** Over the picture, under its button: objects come and go while it is written. */
export const FilterCard = () => (useFilter((state) => state.open) ? <Card /> : null);
