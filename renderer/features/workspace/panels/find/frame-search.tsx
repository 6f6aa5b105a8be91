import { IconPhoto, IconTag } from '@tabler/icons-react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../../i18n/index.ts';
import { Text, TextInput } from '../../../../ui/kit.ts';
import { jobFrames } from '../../model/frames/job-frames.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import over from '../canvas-area.module.css';
import classes from './find.module.css';
import { findFrames, findLabels, type NamedFrame } from '../../model/find/frame-names.ts';

/** More results are not distinguishable. */
const mostShown = 100;

interface Choice {
  readonly key: string;
  readonly label: boolean;
  readonly text: string;
  readonly detail: string;
  readonly run: () => void;
}

function useChoices(typed: string): { readonly choices: readonly Choice[]; readonly more: number } {
  const t = useText();
  const { job, metaOf, navigator, find } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const isListed = useAnnotate((state) => state.listed);
  const frames = useMemo(
    () => jobFrames(job, metaOf).map((frame): NamedFrame => ({ frame, name: metaOf(frame)?.name ?? '' })),
    // oxlint-disable-next-line react/exhaustive-deps -- names arrive with the list
    [job, metaOf, isListed],
  );
  const found = useMemo(() => findFrames(frames, typed), [frames, typed]);
  const ofLabels = findLabels(labels, typed).map(({ id, name }): Choice => ({
    key: `label-${id}`,
    label: true,
    text: t('find.search.withLabel', { name }),
    detail: '',
    run: () => void find.steps.toMatch({ '==': [{ var: 'label' }, name] }, 1),
  }));
  const ofFrames = found.slice(0, mostShown).map(({ frame, name }): Choice => ({
    key: String(frame),
    label: false,
    text: t('find.search.frame', { frame }),
    detail: name,
    run: () => void navigator.goTo(frame),
  }));
  return { choices: [...ofLabels, ...ofFrames], more: Math.max(0, found.length - mostShown) };
}

const Search = () => {
  const t = useText();
  const { find } = useSession();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { choices, more } = useChoices(typed);
  const list = useRef<HTMLDivElement>(null);
  const close = (): void => find.search.setState({ open: false });
  const chosen = Math.min(at, choices.length - 1);
  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    close();
    choice.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => setAt(Math.min(chosen + 1, choices.length - 1)),
      ArrowUp: () => setAt(Math.max(chosen - 1, 0)),
      Enter: () => run(choices[chosen]),
      Escape: close,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  const optionId = (choice: Choice | undefined): string | undefined =>
    choice === undefined ? undefined : `frame-choice-${choice.key}`;
  return (
    <div
      className={`${over.over} ${classes.search}`}
      data-high
      role="dialog"
      aria-label={t('find.search.title')}
      onKeyDown={onKey}
    >
      <TextInput
        size="sm"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened to type into it
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="frame-choices"
        aria-activedescendant={optionId(choices[chosen])}
        aria-label={t('find.search.title')}
        placeholder={t('find.search.placeholder')}
        value={typed}
        onChange={(value) => {
          setTyped(value);
          setAt(0);
        }}
        onBlur={(event) => {
          const next = event.relatedTarget;
          if (!(next instanceof Node) || list.current?.contains(next) !== true) close();
        }}
      />
      <div ref={list} id="frame-choices" className={classes.choices} role="listbox" aria-label={t('find.search.found')}>
        {choices.map((choice, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above takes the keys of the list
          <div
            key={choice.key}
            id={optionId(choice)}
            ref={index === chosen ? (row) => row?.scrollIntoView({ block: 'nearest' }) : null}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className={classes.choice}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => run(choice)}
          >
            {choice.label ? <IconTag size={14} stroke={1.5} /> : <IconPhoto size={14} stroke={1.5} />}
            <span style={{ flex: 'none' }}>{choice.text}</span>
            <Text span inherit truncate c="dimmed" title={choice.detail}>
              {choice.detail}
            </Text>
          </div>
        ))}
      </div>
      {(choices.length === 0 || more > 0) && (
        <Text fz="xs" c="dimmed" px={8} py={4}>
          {choices.length === 0 ? t('find.search.nothing') : t('find.search.more', { count: more })}
        </Text>
      )}
    </div>
  );
};

export const FrameSearch = () => (useStore(useSession().find.search, ({ open }) => open) ? <Search /> : null);
