import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { formatNumber } from '../../../i18n/language.ts';
import { Tabs, useMediaQuery } from '../../../ui/kit.ts';
import classes from './page-tabs.module.css';

export interface PageTab {
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
  readonly render: () => ReactNode;
}

interface PageTabsProps {
  readonly tabs: readonly PageTab[];
  readonly tab: string | undefined;
  readonly aside?: PageTab;
}

function useShownTab(value: string | undefined) {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = strip.current;
    if (list === null) return;
    const watcher = new ResizeObserver(() => {
      const chosen = [...list.children].find((one) => one instanceof HTMLElement && one.dataset['value'] === value);
      chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    watcher.observe(list);
    return () => watcher.disconnect();
  }, [value]);
  return strip;
}

export function PageTabs({ tabs, tab, aside }: PageTabsProps) {
  const navigate = useNavigate();
  const isNarrow = useMediaQuery('(max-width: 999px)', false, { getInitialValueInEffect: false });
  const all = isNarrow && aside !== undefined ? [...tabs, aside] : tabs;
  const shown = all.find(({ value }) => value === tab) ?? tabs[0];
  const strip = useShownTab(shown?.value);
  if (shown === undefined) return null;
  const open = (value: string | null): void =>
    void navigate({ to: '.', search: value === tabs[0]?.value || value === null ? {} : { tab: value }, replace: true });
  return (
    <Tabs value={shown.value} keepMounted={false} onChange={open}>
      <Tabs.List ref={strip} className={classes.strip ?? ''}>
        {all.map(({ value, label, count }) => (
          <Tabs.Tab key={value} value={value} data-value={value}>
            {label}
            {count !== undefined && <span className={classes.count}> {formatNumber(count)}</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <div className={aside === undefined || isNarrow ? undefined : classes.columns}>
        <Tabs.Panel value={shown.value} className={classes.panel ?? ''}>
          {shown.render()}
        </Tabs.Panel>
        {!isNarrow && aside !== undefined && <aside aria-label={aside.label}>{aside.render()}</aside>}
      </div>
    </Tabs>
  );
}
