import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type KeyboardEvent } from 'react';
import type { RemoteItem, RemoteJob } from '../../../preload/contract/schema/remotes.ts';
import { messageOf } from '../../api/api-error.ts';
import { remoteQueries } from '../../api/remote-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { RemoteBadge } from '../../shared/remotes/remote-badge.tsx';
import { Button, Loader, UnstyledButton } from '../../ui/kit.ts';
import { Cell, ListHead, Row, RowNote } from '../../ui/list.tsx';
import { itemFacts, itemName, linksOf } from './item-words.ts';
import classes from './item-tree.module.css';

interface TreeProps {
  readonly serverId: number;
  readonly org: string | undefined;
  /** Checked-out jobs of the server. */
  readonly jobs: readonly RemoteJob[];
  /** Checked-out job of the side panel. */
  readonly selected: number | null;
  readonly onSelect: (job: number) => void;
  readonly onCheckOut: (item: RemoteItem) => void;
}

const sideKeys: Readonly<Record<string, string>> = { u: 'push', p: 'pull', r: 'resolve' };

/** Keys of a row: arrows move, ← → fold, and letters press its button and those of the side panel. */
export function treeKeys(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = target.closest('li');
  if (row === null) return;
  const names = [...currentTarget.querySelectorAll<HTMLElement>('[data-row-name]')];
  const at = names.findIndex((one) => row.contains(one));
  const press = (selector: string): void => row.querySelector<HTMLElement>(selector)?.click();
  if (key === 'ArrowDown') names[at + 1]?.focus();
  else if (key === 'ArrowUp') names[at - 1]?.focus();
  else if (key === 'ArrowRight') press('[data-fold][aria-expanded="false"]');
  else if (key === 'ArrowLeft') press('[data-fold][aria-expanded="true"]');
  else if (key.toLowerCase() === 'o') press('[data-act="checkout"]');
  else if (row.dataset['selected'] !== undefined && key.toLowerCase() in sideKeys)
    document.querySelector<HTMLElement>(`aside [data-act="${sideKeys[key.toLowerCase()]}"]`)?.click();
  else return;
  event.preventDefault();
}

const cellWidths = { frames: 72, state: 160, assignee: 120, button: 128 } as const;

export function ItemTree({ items, ...tree }: TreeProps & { readonly items: readonly RemoteItem[] }) {
  const t = useText();
  return (
    <>
      <ListHead
        lead={null}
        name={t('common.name')}
        cells={
          <>
            <Cell width={cellWidths.frames} from="middle" end>
              {t('tasks.frameCount')}
            </Cell>
            <Cell width={cellWidths.state}>{t('remote.stateHead')}</Cell>
            <Cell width={cellWidths.assignee} from="middle">
              {t('jobs.assignee')}
            </Cell>
          </>
        }
      >
        <Cell width={cellWidths.button} />
      </ListHead>
      <ul role="list" aria-label={t('remote.itemsOf')} onKeyDown={treeKeys}>
        {items.map((item) => (
          <Item key={`${item.kind} ${item.id}`} item={item} depth={0} {...tree} />
        ))}
      </ul>
    </>
  );
}

interface ItemProps extends TreeProps {
  readonly item: RemoteItem;
  readonly depth: number;
}

function Item({ item, depth, ...tree }: ItemProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const name = itemName(t, item);
  const links = linksOf(item, tree.jobs);
  const [link] = links;
  const isJob = item.kind === 'job';
  const canFold = !isJob && (item.child_count ?? 0) > 0;
  const toggle = (): void => setOpen((before) => !before);
  const press = (): void => {
    if (isJob && link !== undefined) tree.onSelect(link.id);
    else if (canFold) toggle();
  };
  const isPartly = links.some(({ state }) => state === 'checking_out');
  // A project names the number of its tasks, not of its jobs. A repeated checkout only loads what is missing.
  const isComplete =
    !isPartly && (isJob ? link !== undefined : item.kind === 'task' && links.length >= (item.child_count ?? 1));
  const title = isJob ? item.name : name;
  return (
    <>
      <Row
        isSelected={isJob && link !== undefined && link.id === tree.selected}
        before={
          <span className={classes.fold} style={{ marginInlineStart: depth * 18 }}>
            {canFold && (
              <UnstyledButton
                data-fold
                aria-expanded={isOpen}
                aria-label={t(isOpen ? 'remote.fold' : 'remote.unfold', { name })}
                onClick={toggle}
              >
                {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
              </UnstyledButton>
            )}
          </span>
        }
        name={
          <>
            <UnstyledButton data-row-name className={classes.name ?? ''} onClick={press}>
              {depth === 0 ? title : name}
            </UnstyledButton>
            <span className={classes.facts}>{itemFacts(t, item)}</span>
          </>
        }
        title={title}
        note={item.refusal !== null && <RowNote text={item.refusal} />}
        cells={
          <>
            <Cell width={cellWidths.frames} from="middle" end>
              {item.frame_count === null ? '–' : formatNumber(item.frame_count)}
            </Cell>
            <Cell width={cellWidths.state}>
              {links.length > 0 && <RemoteBadge jobs={links} count={isJob ? undefined : links.length} />}
            </Cell>
            <Cell width={cellWidths.assignee} from="middle" title={item.assignee ?? undefined}>
              {item.assignee ?? '–'}
            </Cell>
          </>
        }
      >
        <span className={classes.button} style={{ width: cellWidths.button }}>
          {item.refusal === null && !isComplete && (isJob || canFold) && (
            <Button
              size="compact-sm"
              variant="default"
              data-act="checkout"
              aria-label={t('remote.checkOutOf', { name: title })}
              onClick={() => tree.onCheckOut(item)}
            >
              {t(isPartly ? 'remote.continue' : 'remote.checkOut')}
            </Button>
          )}
        </span>
      </Row>
      {isOpen && canFold && <Children parent={item} depth={depth + 1} {...tree} />}
    </>
  );
}

const childPage = 50;

function Children({ parent, depth, ...tree }: TreeProps & { readonly parent: RemoteItem; readonly depth: number }) {
  const t = useText();
  const [pages, setPages] = useState(1);
  const children = useQuery(
    remoteQueries.items(tree.serverId, {
      kind: parent.kind === 'project' ? 'task' : 'job',
      ...(parent.kind === 'project' ? { project_id: String(parent.id) } : { task_id: String(parent.id) }),
      ...(tree.org === undefined ? {} : { organization: tree.org }),
      sort: 'id',
      // The first rows stay while more are loaded.
      page_size: String(Math.min(999, pages * childPage)),
    }),
  );
  const indent = { paddingInlineStart: depth * 18 + 24 };
  if (children.data === undefined) {
    return (
      <li className={classes.note} style={indent}>
        {children.error === null ? <Loader size="xs" aria-label={t('app.loading')} /> : messageOf(children.error)}
      </li>
    );
  }
  const { count, results } = children.data;
  return (
    <>
      {results.map((item) => (
        <Item key={`${item.kind} ${item.id}`} item={item} depth={depth} {...tree} />
      ))}
      {results.length < count && (
        <li className={classes.note} style={indent}>
          <Button size="compact-xs" variant="subtle" onClick={() => setPages((before) => before + 1)}>
            {t('remote.more', { shown: results.length, count })}
          </Button>
        </li>
      )}
    </>
  );
}
