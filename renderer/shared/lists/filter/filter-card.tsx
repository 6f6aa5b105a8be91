import { useEffect, useRef, useState } from 'react';
import type { FilterGroup } from '../../../../preload/contract/object-filter/object-filter.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, Hint, Textarea } from '../../../ui/kit.ts';
import { FilterForm, newRule } from '../../filter/filter-form.tsx';
import { FilterFrame } from '../../filter/filter-frame.tsx';
import classes from '../lists.module.css';
import { conditionsOf, filterText, noConditions } from './list-filter.ts';
import type { useListWords } from './filter-chips.tsx';

interface FilterCardProps {
  readonly filter: string | undefined;
  readonly words: ReturnType<typeof useListWords>;
  readonly isAdding: boolean;
  readonly onChange: (filter: string | undefined) => void;
  readonly onClose: () => void;
}

/** Debounce delay of typed text, milliseconds. */
const restMs = 300;

function FilterText({ filter, onChange }: Pick<FilterCardProps, 'filter' | 'onChange'>) {
  const t = useText();
  const [text, setText] = useState(filter === undefined ? '' : indented(filter));
  const isWrong = text.trim() !== '' && compactJson(text) === null;
  return (
    <>
      <Textarea
        size="xs"
        autosize
        minRows={6}
        maxRows={14}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        aria-label={t('lists.filter.json')}
        placeholder='{"==": [{"var": "name"}, "…"]}'
        spellCheck={false}
        value={text}
        error={isWrong ? t('lists.filter.noJson') : null}
        onChange={(value) => {
          setText(value);
          const compact = compactJson(value);
          if (compact !== null) onChange(compact);
          else if (value.trim() === '') onChange(undefined);
        }}
      />
      <Hint mt={4}>{t('lists.filter.jsonHint')}</Hint>
    </>
  );
}

const compactJson = (text: string): string | null => {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
};
const indented = (filter: string): string => {
  const compact = compactJson(filter);
  return compact === null ? filter : JSON.stringify(JSON.parse(compact), null, 2);
};

/** Conditions of a list in a card below its button; they apply at once. */
export function FilterCard({ filter, words: { fields, byName, words }, isAdding, onChange, onClose }: FilterCardProps) {
  const t = useText();
  const card = useRef<HTMLDivElement>(null);
  const read = conditionsOf(filter, fields);
  const [view, setView] = useState<'form' | 'json'>(read === null ? 'json' : 'form');
  const [draft, setDraft] = useState<FilterGroup>(() => {
    const group = read ?? noConditions;
    const field = isAdding || group.of.length === 0 ? words.first(group, byName) : undefined;
    return field === undefined ? group : { ...group, of: [...group.of, newRule(field)] };
  });
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<(() => void) | null>(null);
  /** Applies typed text after a delay, at the latest when the card closes. */
  const later = (next: string | undefined): void => {
    clearTimeout(waiting.current);
    const ask = (): void => {
      pending.current = null;
      if (next !== filter) onChange(next);
    };
    pending.current = ask;
    waiting.current = setTimeout(ask, restMs);
  };
  const close = (): void => {
    clearTimeout(waiting.current);
    pending.current?.();
    onClose();
  };
  const closeNow = useRef(close);
  useEffect(() => {
    closeNow.current = close;
  });
  useEffect(() => {
    const before = document.activeElement;
    const fieldOf = (place: HTMLElement | null) => [...(place?.querySelectorAll<HTMLElement>('input, textarea') ?? [])];
    const rows = card.current?.querySelectorAll<HTMLElement>('[data-testid="filter-rule"]') ?? [];
    (fieldOf(rows[rows.length - 1] ?? card.current)[0] ?? card.current)?.focus();
    const onDown = (event: MouseEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      // Option lists are rendered in portals; the button handles its own clicks.
      if (target?.closest('[data-portal], [data-filter-button]') !== null || card.current?.contains(target)) return;
      closeNow.current();
    };
    document.addEventListener('mousedown', onDown);
    return () => {
      document.removeEventListener('mousedown', onDown);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const write = (next: FilterGroup | null): void => {
    setDraft(next ?? noConditions);
    later(filterText(next ?? noConditions));
  };
  return (
    <FilterFrame
      card={card}
      title={t('lists.filter.title')}
      className={classes.card}
      view={view}
      jsonLabel={t('lists.filter.json')}
      hasForm={read !== null}
      onView={(next) => {
        clearTimeout(waiting.current);
        pending.current?.();
        if (next === 'form') setDraft(conditionsOf(filter, fields) ?? noConditions);
        setView(next);
      }}
      onClose={close}
      foot={
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          disabled={filter === undefined}
          onClick={() => {
            clearTimeout(waiting.current);
            pending.current = null;
            onChange(undefined);
            onClose();
          }}
        >
          {t('lists.filter.clear')}
        </Button>
      }
    >
      {view === 'form' ? (
        <FilterForm group={draft} fields={byName} words={words} onChange={write} />
      ) : (
        <FilterText filter={filter} onChange={later} />
      )}
    </FilterFrame>
  );
}
