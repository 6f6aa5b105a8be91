import { IconBookmark, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState, useMemo } from 'react';
import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import { useText } from '../../../../i18n/index.ts';
import { FilterForm } from '../../../../shared/filter/filter-form.tsx';
import { FilterFrame, type FilterView, NameField } from '../../../../shared/filter/filter-frame.tsx';
import { objectWords } from '../../../../shared/filter/object-words.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Button, Group, Menu, Textarea, Text, useDebouncedValue } from '../../../../ui/kit.ts';
import { notify } from '../../../../ui/notify.ts';
import { useSession, useWorkspace } from '../session-context.ts';
import chips from '../chips.module.css';
import classes from './find.module.css';
import { useFilter } from './use-filter.ts';
import { useStore } from 'zustand';
import type { FrameMatches } from '../../../../../preload/contract/schema/finding.ts';
import { messageOf } from '../../../../api/api-error.ts';
import { useRecords } from '../scene-hooks.ts';

/** Counts only after a pause in typing. */
const askAfterMs = 400;

type Answer =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'found'; readonly found: FrameMatches }
  | { readonly kind: 'failed'; readonly message: string };

function MatchCount() {
  const t = useText();
  const { find } = useSession();
  const here = useRecords().length;
  const logic = useFilter((state) => state.logic);
  const changes = useStore(find.matches.changes, ({ count }) => count);
  const question = useMemo(() => ({ logic, changes }), [logic, changes]);
  const [operationQuery] = useDebouncedValue(question, askAfterMs);
  const [answer, setAnswer] = useState<Answer>({ kind: 'waiting' });
  useEffect(() => {
    let isOld = false;
    const put = (next: Answer): void => {
      if (!isOld) setAnswer(next);
    };
    put({ kind: 'waiting' });
    if (operationQuery.logic !== null) {
      find.matches.of(operationQuery.logic).then(
        (found) => put({ kind: 'found', found }),
        (error: unknown) => put({ kind: 'failed', message: messageOf(error) }),
      );
    }
    return () => {
      isOld = true;
    };
  }, [operationQuery, find]);
  const words = (): string => {
    if (logic === null) return '';
    if (answer.kind === 'failed') return t('find.filter.countFailed', { message: answer.message });
    if (answer.kind === 'waiting' || operationQuery !== question) return t('find.filter.counting', { here });
    return t('find.filter.count', { here, count: answer.found.total, frames: answer.found.frames.length });
  };
  return (
    <Text span fz="xs" c="dimmed" flex={1} miw={0} role="status" data-testid="filter-count">
      {words()}
    </Text>
  );
}

/** The filter as editable text for exchange with other programs. Invalid text changes nothing. */
function FilterJson() {
  const t = useText();
  const { find } = useSession();
  const logic = useFilter((state) => state.logic);
  /** Stores the filter that was active while typing: a filter activated elsewhere replaces the text. */
  const [typed, setTyped] = useState<{ readonly text: string; readonly logic: JsonLogic | null } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const problemOf = (given: string): string | null => {
    if (given.trim() === '') {
      find.filter.clear();
      return null;
    }
    try {
      return find.filter.use(JSON.parse(given));
    } catch (error) {
      if (error instanceof SyntaxError) return t('find.filter.noJson');
      throw error;
    }
  };
  const read = (given: string): void => {
    setProblem(problemOf(given));
    setTyped({ text: given, logic: find.filter.state.getState().logic });
  };
  const isTyped = typed !== null && typed.logic === logic;
  return (
    <Textarea
      size="xs"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      autosize
      minRows={6}
      maxRows={16}
      aria-label={t('find.filter.json')}
      placeholder='{"==": [{"var": "label"}, "car"]}'
      value={isTyped ? typed.text : logic === null ? '' : JSON.stringify(logic, null, 2)}
      error={problem === null || !isTyped ? null : t('find.filter.wrong', { problem })}
      spellCheck={false}
      onChange={read}
    />
  );
}

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
