import type { ComponentType, CSSProperties, ReactNode } from 'react';
import { useText } from '../../../../i18n/index.ts';
import { Grip } from '../../../../ui/grip.tsx';
import { Stack, Tabs, useLocalStorage, Box, Group, Loader, Text, Title } from '../../../../ui/kit.ts';
import { panelsOf, type Panel, type Mode } from '../../model/types.ts';
import { AttributePanel } from '../modes/attribute-panel.tsx';
import { ReviewPanel } from '../review/review-panel.tsx';
import { TagPanel } from '../modes/tag-panel.tsx';
import { ModelsTab } from '../models/models-tab.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import { useAnnotate, useSession, useWorkspace } from '../session-context.ts';
import bars from '../workspace.module.css';
import { AppearanceTab } from './appearance-tab.tsx';
import classes from './inspector.module.css';
import { LabelsTab } from './labels-tab.tsx';
import { ObjectsTab } from './objects-tab.tsx';
import { formatNumber } from '../../../../i18n/language.ts';
import { useObjectCount } from '../scene-hooks.ts';
import { useSuggestions } from '../models/use-models.ts';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { reviewQueries } from '../../../../api/review-queries.ts';
import { MarkdownView } from '../../../../shared/markdown-view.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Problem } from '../../../../ui/page.tsx';

const scrolled = { flex: 1, mih: 0, px: 12, pb: 12, style: { overflowY: 'auto' } } as const;

const Empty = ({ text }: { readonly text: string }) => (
  <Text fz="sm" c="dimmed">
    {text}
  </Text>
);

const Guide = ({ id }: { readonly id: number }) => {
  const t = useText();
  const guide = useQuery(reviewQueries.guide(id));
  if (guide.data === undefined) {
    return guide.error === null ? (
      <Loader size={16} m={12} aria-label={t('guide.loading')} />
    ) : (
      <Problem title={t('guide.failed')} message={guide.error} retry={guide.refetch} />
    );
  }
  return guide.data.markdown.trim() === '' ? (
    <Empty text={t('guide.empty')} />
  ) : (
    <MarkdownView markdown={guide.data.markdown} />
  );
};

function GuidePanel() {
  const t = useText();
  const { job } = useSession();
  const { actions } = useWorkspace();
  return (
    <>
      <Group justify="space-between" wrap="nowrap" flex="none" mih={40} pl={12} pr={8}>
        <Title order={2} size="h3">
          {t('guide.title')}
        </Title>
        <IconButton label={t('common.close')} icon={<IconX size={16} />} onClick={() => actions.run('guide.toggle')} />
      </Group>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys */}
      <Box {...scrolled} tabIndex={0} role="region" aria-label={t('guide.title')}>
        {job.guide_id === null ? <Empty text={t('guide.none')} /> : <Guide id={job.guide_id} />}
      </Box>
    </>
  );
}

/** Panels that only some modes have. */
const modePanels: Partial<Record<Mode, ComponentType>> = {
  review: ReviewPanel,
  attributes: AttributePanel,
  tags: TagPanel,
};

function Inspector({ grip }: { readonly grip: ReactNode }) {
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
      <ConflictPanel />
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

const narrowestPx = 240;
const widestPx = 480;
const keyStepPx = 16;
const pictureWidthPx = 320;

const mostPx = (): number => Math.max(narrowestPx, Math.min(widestPx, window.innerWidth - pictureWidthPx));
const within = (width: number): number => Math.round(Math.min(mostPx(), Math.max(narrowestPx, width)));

export function useInspectorWidth(): readonly [number, (wanted: number) => void] {
  const [width, setWidth] = useLocalStorage({
    key: 'limner.inspector.width',
    defaultValue: 320,
    getInitialValueInEffect: false,
  });
  return [within(width), (wanted) => setWidth(within(wanted))];
}

export const inspectorStyle = (width: number): CSSProperties =>
  // React's types do not know custom CSS properties.
  ({ '--inspector-width': `${width}px` }) as CSSProperties;

interface FoldingInspectorProps {
  readonly width: number;
  readonly onWidth: (width: number) => void;
}

export function FoldingInspector({ width, onWidth }: FoldingInspectorProps) {
  const t = useText();
  const open = useAnnotate((state) => state.inspectorOpen);
  if (!open) return null;
  const grip = (
    <Grip
      label={t('view.resize')}
      className={bars.grip}
      orientation="vertical"
      size={width}
      least={narrowestPx}
      most={widestPx}
      keyStep={keyStepPx}
      sizeAt={({ clientX }) => window.innerWidth - clientX}
      onSize={onWidth}
    />
  );
  return <Inspector grip={grip} />;
}
