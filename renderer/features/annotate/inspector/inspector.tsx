import type { ComponentType, ReactNode } from 'react';
import { useText } from '../../../i18n/index.ts';
import { Stack, Tabs } from '../../../ui/kit.ts';
import { panelsOf, type Panel } from '../annotate-state.ts';
import { GuidePanel } from '../guide/guide-panel.tsx';
import { AttributePanel } from '../modes/attributes/attribute-panel.tsx';
import type { Mode } from '../modes/mode.ts';
import { ReviewPanel } from '../modes/review/review-panel.tsx';
import { TagPanel } from '../modes/tags/tag-panel.tsx';
import { ModelsTab } from '../models/models-tab.tsx';
import { ClashPanel } from '../others/clash-panel.tsx';
import { useAnnotate, useObjectCount, useSession, useSuggestions } from '../session-context.ts';
import bars from '../workspace.module.css';
import { AppearanceTab } from './appearance-tab.tsx';
import classes from './inspector.module.css';
import { LabelsTab } from './labels-tab.tsx';
import { ObjectsTab } from './objects-tab.tsx';
import { formatNumber } from '../../../i18n/language.ts';

/** What a mode has of its own. */
const modePanels: Partial<Record<Mode, ComponentType>> = {
  review: ReviewPanel,
  attributes: AttributePanel,
  tags: TagPanel,
};

/** Objects of the frame, labels of the job, how things look, and what models propose. */
export function Inspector({ grip }: { readonly grip: ReactNode }) {
  const t = useText();
  const { store } = useSession();
  const panel = useAnnotate((state) => state.panel);
  const mode = useAnnotate((state) => state.mode);
  const ModePanel = modePanels[mode];
  const counts: Partial<Record<Panel, number>> = { objects: useObjectCount(), models: useSuggestions().length };
  return (
    <aside className={bars.inspector} aria-label={t('annotate.inspector')}>
      {grip}
      <Tabs
        value={panel}
        onChange={(value) => store.setState({ panel: (value ?? 'objects') as Panel })}
        className={classes.tabs ?? ''}
      >
        <Tabs.List grow className={classes.tabList}>
          {panelsOf(mode).map((value) => (
            <Tabs.Tab key={value} value={value} h={40} py={0} px={8}>
              {value === 'mode' ? t(`modes.tabs.${mode}`) : t(`annotate.tabs.${value}`)}
              {(counts[value] ?? 0) > 0 && <span className={classes.count}>{formatNumber(counts[value] ?? 0)}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <ClashPanel />
      <Stack gap={0} flex={1} mih={0}>
        {panel === 'mode' && ModePanel !== undefined && <ModePanel />}
        {panel === 'objects' && <ObjectsTab />}
        {panel === 'labels' && <LabelsTab />}
        {panel === 'appearance' && <AppearanceTab />}
        {panel === 'models' && <ModelsTab />}
        {panel === 'guide' && <GuidePanel />}
      </Stack>
    </aside>
  );
}
