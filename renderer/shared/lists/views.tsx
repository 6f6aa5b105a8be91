import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../../i18n/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Button } from '../../ui/kit.ts';
import {
  type ListName,
  type ListView,
  useListSettings,
  withoutView,
  withView,
  type ListAddress,
  useListAddress,
} from './list-address.ts';
import classes from './lists.module.css';
import { NameField } from '../filter/filter-frame.tsx';

interface ViewsProps {
  readonly list: ListName;
  readonly search: ListAddress;
  readonly usual?: readonly ListView[];
}

const isSame = (view: ListView, search: ListAddress): boolean =>
  (view.q ?? '') === (search.q ?? '') &&
  (view.filter ?? '') === (search.filter ?? '') &&
  (view.sort ?? '') === (search.sort ?? '');

function useViews({ list, search, usual = [] }: ViewsProps) {
  const t = useText();
  const [kept, setKept] = useListSettings(list);
  const change = useListAddress(search);
  const everything: ListView = { name: t('lists.views.all') };
  const all = [everything, ...usual, ...kept.views];
  const open = all.find(({ name }) => name === search.view) ?? all.find((view) => isSame(view, search)) ?? everything;
  return {
    all,
    open,
    isKept: (view: ListView) => kept.views.includes(view),
    isChanged: !isSame(open, search),
    show: ({ name, q, filter, sort }: ListView) =>
      change({ view: name === everything.name ? undefined : name, q, filter, sort, page: 1 }),
    save: (name: string) => {
      const { q, filter, sort } = search;
      setKept(withView(kept, { name, q, filter, sort }));
      change({ view: name });
    },
    forget: ({ name }: ListView) => {
      setKept(withoutView(kept, name));
      change({ view: undefined });
    },
  };
}

export function ViewTabs(props: ViewsProps) {
  const t = useText();
  const { all, open, isKept, show, forget } = useViews(props);
  return (
    <nav className={classes.views} aria-label={t('lists.views.title')}>
      {/* A single view needs no tabs. */}
      {(all.length > 1 ? all : []).map((view) => (
        <span key={view.name} className={classes.viewPlace}>
          <button
            type="button"
            className={classes.view}
            title={view.name}
            aria-current={view === open || undefined}
            onClick={() => show(view)}
          >
            {view.name}
          </button>
          {view === open && isKept(view) && (
            <IconButton
              size="xs"
              label={t('lists.views.forget', { name: view.name })}
              icon={<IconX size={12} />}
              onClick={() => forget(view)}
            />
          )}
        </span>
      ))}
    </nav>
  );
}

export function ViewChanges(props: ViewsProps) {
  const t = useText();
  const { open, isKept, isChanged, show, save } = useViews(props);
  const [name, setName] = useState<string | null>(null);
  if (!isChanged) return null;
  const submit = (): void => {
    if (name !== null && name.trim() !== '') save(name.trim());
    setName(null);
  };
  return (
    <div className={classes.changes}>
      {isKept(open) && (
        <Button size="compact-sm" variant="subtle" onClick={() => save(open.name)}>
          {t('lists.views.saveChanges')}
        </Button>
      )}
      {name === null ? (
        <Button size="compact-sm" variant="subtle" onClick={() => setName('')}>
          {t('lists.views.save')}
        </Button>
      ) : (
        <NameField
          label={t('lists.views.name')}
          value={name}
          onChange={setName}
          onDone={submit}
          onGiveUp={() => setName(null)}
        />
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => show(open)}>
        {t('lists.views.undo')}
      </Button>
    </div>
  );
}
