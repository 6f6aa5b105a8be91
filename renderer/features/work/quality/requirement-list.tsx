import {
  IconAlertCircleFilled,
  IconChevronDown,
  IconChevronRight,
  IconCircleCheckFilled,
  IconCircleMinus,
} from '@tabler/icons-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { TargetMetric } from '../../../../preload/contract/schema/quality-requirements.ts';
import { type TextFunction, useText } from '../../../i18n/index.ts';
import { formatFixed } from '../../../i18n/language.ts';
import { VisuallyHidden } from '../../../ui/kit.ts';
import { type Outcome, openRows, outcomeOf, type RequirementResult, type TreeRow } from './requirement-tree.ts';
import { metricText, requirementName } from './requirement-words.ts';
import classes from './requirements.module.css';

interface ListProps {
  readonly rows: readonly TreeRow[];
  readonly results: ReadonlyMap<number, RequirementResult>;
  readonly selected: number;
  /** Label under the name: the filter and the type. */
  readonly scopeOf: (row: TreeRow) => string;
  readonly metricOf: (row: TreeRow) => TargetMetric;
  readonly onSelect: (id: number) => void;
  /** Moves a requirement among its siblings. Undefined if the requirements cannot be changed here. */
  readonly onMove: ((row: TreeRow, step: -1 | 1) => void) | undefined;
  readonly onDelete: ((row: TreeRow) => void) | undefined;
}

const icons: Readonly<Record<Outcome, typeof IconCircleMinus>> = {
  passed: IconCircleCheckFilled,
  failed: IconAlertCircleFilled,
  notComputed: IconCircleMinus,
  off: IconCircleMinus,
  notCompared: IconCircleMinus,
};

export const scoreText = (score: number | null | undefined): string =>
  score === null || score === undefined ? '–' : formatFixed(score, 2);

function Bar({ result }: { readonly result: RequirementResult | undefined }) {
  if (result === undefined || result.score === null) return <span />;
  return (
    <span className={classes.bar} data-passed={result.score >= result.threshold || undefined}>
      <i style={{ width: `${100 * result.score}%` }} />
      <u style={{ left: `${100 * result.threshold}%` }} />
    </span>
  );
}

/** The outcome in words, for screen readers: bars and icons are only visible. */
function outcomeText(outcome: Outcome, result: RequirementResult | undefined, t: TextFunction): string {
  const name = t(`requirements.outcomes.${outcome}`);
  if (result === undefined || result.score === null) return name;
  return t('requirements.outcomeOf', { outcome: name, required: scoreText(result.threshold) });
}

/** Requirements as a tree with one tab stop. The arrow keys move, fold and, with Alt, reorder. */
export function RequirementList(props: ListProps) {
  const { rows, results, selected, scopeOf, metricOf, onSelect, onMove, onDelete } = props;
  const t = useText();
  const tree = useRef<HTMLUListElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const shown = openRows(rows, folded);
  const at = Math.max(
    0,
    shown.findIndex(({ item }) => item.id === selected),
  );
  const hadFocus = useRef(false);
  useEffect(() => {
    if (hadFocus.current) tree.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  });
  const fold = (id: number, isFolded: boolean): void =>
    setFolded((before) => new Set(isFolded ? [...before, id] : [...before].filter((one) => one !== id)));
  const go = (row: TreeRow | undefined): void => {
    hadFocus.current = true;
    if (row !== undefined) onSelect(row.item.id);
  };

  function onKeyDown(event: KeyboardEvent): void {
    const row = shown[at];
    if (row === undefined) return;
    const isOpen = row.below.length > 0 && !folded.has(row.item.id);
    const actions: Partial<Record<string, () => void>> = {
      ArrowDown: () => (event.altKey ? onMove?.(row, 1) : go(shown[at + 1])),
      ArrowUp: () => (event.altKey ? onMove?.(row, -1) : go(shown[at - 1])),
      ArrowRight: () => (isOpen || row.below.length === 0 ? go(shown[at + 1]) : fold(row.item.id, false)),
      ArrowLeft: () =>
        isOpen
          ? fold(row.item.id, true)
          : go(rows.slice(0, rows.indexOf(row)).findLast((one) => one.level < row.level)),
      Home: () => go(shown[0]),
      End: () => go(shown.at(-1)),
      Delete: () => onDelete?.(row),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }
  return (
    <div className={classes.list}>
      <div className={classes.heads} aria-hidden>
        <span>{t('requirements.name')}</span>
        <span data-wide>{t('requirements.metric')}</span>
        <span>{t('requirements.required')}</span>
        <span data-end>{t('requirements.score')}</span>
        <span />
      </div>
      <ul
        ref={tree}
        role="tree"
        aria-label={t('requirements.title')}
        className={classes.tree}
        onKeyDown={onKeyDown}
        onBlur={() => {
          hadFocus.current = false;
        }}
      >
        {shown.map((row, index) => {
          const { item, level, below } = row;
          const result = results.get(item.id);
          const outcome = outcomeOf(item, result);
          const Icon = icons[outcome];
          const isOpen = !folded.has(item.id);
          return (
            <li
              key={item.id}
              role="treeitem"
              aria-level={level + 1}
              aria-selected={index === at}
              {...(below.length > 0 ? { 'aria-expanded': isOpen } : {})}
              tabIndex={index === at ? 0 : -1}
              className={classes.row}
              data-off={item.enabled ? undefined : true}
              onClick={() => onSelect(item.id)}
              onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ' ? onSelect(item.id) : undefined)}
            >
              <span className={classes.what} style={{ paddingInlineStart: 16 * level }}>
                <span
                  className={classes.fold}
                  aria-hidden
                  onClick={(event) => {
                    if (below.length === 0) return;
                    event.stopPropagation();
                    fold(item.id, isOpen);
                  }}
                >
                  {below.length > 0 && (isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />)}
                </span>
                <span className={classes.names}>
                  <b title={requirementName(item, t)}>{requirementName(item, t)}</b>
                  <small title={scopeOf(row)}>{scopeOf(row)}</small>
                </span>
              </span>
              <span data-wide title={metricText(metricOf(row), t)}>
                {metricText(metricOf(row), t)}
              </span>
              <Bar result={result} />
              <span data-end>{scoreText(result?.score)}</span>
              <span className={classes.sign} data-outcome={outcome} title={t(`requirements.outcomes.${outcome}`)}>
                <Icon size={16} aria-hidden />
                <VisuallyHidden>{outcomeText(outcome, result, t)}</VisuallyHidden>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
