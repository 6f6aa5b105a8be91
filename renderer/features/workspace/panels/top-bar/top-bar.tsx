import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconBook2,
  IconChartBar,
  IconDots,
  IconDownload,
  IconHelp,
  IconKeyboard,
  IconLayoutSidebarRight,
  IconPhotoDown,
  IconSearch,
  IconSlideshow,
  IconStack2,
  IconTimeline,
  IconUpload,
  IconVectorBezier,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useText } from '../../../../i18n/index.ts';
import { useHelp } from '../../../../shared/commands.ts';
import { helpPageOf, useOpenHelp } from '../../../../shared/help/find-help.ts';
import { openPalette } from '../../../../ui/command-palette.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { ActionIcon, Group, Menu } from '../../../../ui/kit.ts';
import { ActionButton } from '../action-button.tsx';
import { keepFocus } from '../../commands/focus.ts';
import { ModeSwitch } from '../modes/mode-switch.tsx';
import { StageMenu } from '../review/stage-menu.tsx';
import { useAnnotate, useSession, useShortcuts, useWorkspace } from '../session-context.ts';
import bars from '../workspace.module.css';
import { FrameControls } from './frame-controls.tsx';
import { SaveState } from './save-state.tsx';
import classes from './top-bar.module.css';

const size = 18;

const UndoRedo = () => {
  const t = useText();
  const { engine, history } = useSession();
  const keyOf = useShortcuts();
  const undo = useSyncExternalStore(engine.history.subscribe, () => engine.history.peekUndo());
  const redo = useSyncExternalStore(engine.history.subscribe, () => engine.history.peekRedo());
  const steps = [
    ['undo', undo, IconArrowBackUp],
    ['redo', redo, IconArrowForwardUp],
  ] as const;
  return steps.map(([name, step, Sign]) => (
    <IconButton
      key={name}
      label={step === null ? t(`actions.edit.${name}`) : t(`annotate.${name}What`, { what: step.label })}
      shortcut={keyOf(`edit.${name}`)}
      disabled={step === null}
      icon={<Sign size={size} stroke={1.5} />}
      onClick={history[name]}
      testId={name}
    />
  ));
};

/** Shown only if the job has a guide. */
const GuideButton = () => {
  const t = useText();
  const { job } = useSession();
  const isShown = useAnnotate((state) => state.panel === 'guide' && state.inspectorOpen);
  return job.guide_id === null ? null : (
    <ActionButton
      label={t('guide.title')}
      action="guide.toggle"
      pressed={isShown}
      icon={IconBook2}
      iconSize={size}
      testId="guide"
    />
  );
};

const MoreMenu = () => {
  const t = useText();
  const { actions } = useWorkspace();
  const keyOf = useShortcuts();
  const setKeys = useHelp((state) => state.set);
  const openHelp = useOpenHelp();
  const address = useLocation({ select: (location) => location.pathname });
  const items = [
    [IconDownload, 'annotate.export', () => actions.run('file.export')],
    [IconUpload, 'annotate.import', () => actions.run('file.import')],
    [IconChartBar, 'statistics.title', () => actions.run('file.statistics')],
    [IconPhotoDown, 'view.savePng', () => actions.run('file.savePng')],
    [IconVectorBezier, 'view.saveSvg', () => actions.run('file.saveSvg')],
    null,
    [IconStack2, 'editing.bulk.open', () => actions.run('edit.bulk'), 'edit.bulk'],
    [IconLayoutSidebarRight, 'view.toggle', () => actions.run('inspector.toggle'), 'inspector.toggle'],
    [IconSlideshow, 'strip.toggle', () => actions.run('strip.toggle'), 'strip.toggle'],
    [IconTimeline, 'timeline.toggle', () => actions.run('timeline.toggle'), 'timeline.toggle'],
    [IconSearch, 'app.palette', openPalette],
    [IconHelp, 'app.help', () => openHelp(helpPageOf(address))],
    [IconKeyboard, 'app.keys', () => setKeys(true)],
  ] as const;
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('annotate.menu')}>
          <IconDots size={size} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => {
          if (item === null) return <Menu.Divider key="divider" />;
          const [Sign, name, run, action] = item;
          return (
            <Menu.Item
              key={name}
              leftSection={<Sign size={16} />}
              rightSection={action === undefined ? undefined : keyOf(action)}
              onClick={run}
            >
              {t(name)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
};

export function TopBar() {
  const t = useText();
  const { job } = useSession();
  return (
    <header className={bars.top} onMouseDown={keepFocus}>
      <Group gap={4} wrap="nowrap" flex="1 1 0" miw={0}>
        <Link
          to="/tasks/$taskId"
          params={{ taskId: String(job.task_id) }}
          className={classes.back}
          aria-label={t('annotate.backTo', { name: job.task_name ?? '' })}
        >
          <IconArrowLeft size={size} stroke={1.5} />
          <span className={classes.task} title={job.task_name ?? undefined}>
            {job.task_name}
          </span>
        </Link>
        <UndoRedo />
        <SaveState />
      </Group>
      <FrameControls />
      <Group gap={4} wrap="nowrap" flex="none">
        <GuideButton />
        <ModeSwitch />
        <StageMenu />
        <MoreMenu />
      </Group>
    </header>
  );
}
