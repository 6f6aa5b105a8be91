import { useState } from 'react';
import { useText } from '../../../i18n/index.ts';
import { Tabs } from '../../../ui/kit.ts';
import { useRecords } from '../session-context.ts';
import bars from '../workspace.module.css';
import { AppearanceTab } from './appearance-tab.tsx';
import classes from './inspector.module.css';
import { LabelsTab } from './labels-tab.tsx';
import { ObjectsTab } from './objects-tab.tsx';

const tabs = ['objects', 'labels', 'appearance'] as const;
type Tab = (typeof tabs)[number];

/** Objects of the frame, labels of the job, and how things look. */
export function Inspector() {
  const t = useText();
  const [tab, setTab] = useState<Tab>('objects');
  const count = useRecords().length;
  return (
    <aside className={bars.inspector} aria-label={t('annotate.inspector')}>
      <Tabs value={tab} onChange={(value) => setTab((value ?? 'objects') as Tab)} className={classes.tabs ?? ''}>
        <Tabs.List grow>
          {tabs.map((value) => (
            <Tabs.Tab key={value} value={value} h={40} py={0}>
              {t(`annotate.tabs.${value}`)}
              {value === 'objects' && count > 0 && <span className={classes.count}>{count}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <div className={classes.panel}>
        {tab === 'objects' && <ObjectsTab />}
        {tab === 'labels' && <LabelsTab />}
        {tab === 'appearance' && <AppearanceTab />}
      </div>
    </aside>
  );
}
