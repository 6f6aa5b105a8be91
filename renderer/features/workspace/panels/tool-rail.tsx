import {
  IconArrowsMaximize,
  IconHandStop,
  IconPointer,
  IconScissors,
  IconSlice,
  IconTag,
  IconTopologyRing,
  IconWand,
  IconZoomInArea,
  type Icon,
} from '@tabler/icons-react';
import { Fragment, type ComponentProps } from 'react';
import { useStore } from 'zustand';
import { isOffered, isPaintTool, toolIds, toolKinds } from '../../../canvas/tool-kinds.ts';
import type { ToolId } from '../../../canvas/types.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ActionButton } from './action-button.tsx';
import { keepFocus } from '../commands/focus.ts';
import { useAnnotate, useSession, useShortcuts } from './session-context.ts';
import { shapeIcons } from './shape-icons.ts';
import classes from './workspace.module.css';

interface RailTool {
  readonly tool: ToolId;
  readonly icon: Icon;
}

const ownIcons: Readonly<Partial<Record<ToolId, Icon>>> = { scissors: IconScissors };

/** Navigation tools, then drawing tools. */
const groups: readonly (readonly RailTool[])[] = [
  [
    { tool: 'select', icon: IconPointer },
    { tool: 'pan', icon: IconHandStop },
    { tool: 'zoom', icon: IconZoomInArea },
  ],
  toolIds.filter(isOffered).flatMap((tool): RailTool[] => {
    const type = toolKinds[tool].draws;
    // One button for all painting tools; the others appear beside it while it is armed.
    if (type === undefined || (isPaintTool(tool) && tool !== 'brush')) return [];
    return [{ tool, icon: ownIcons[tool] ?? shapeIcons[type] }];
  }),
  [
    { tool: 'slice', icon: IconSlice },
    { tool: 'hole', icon: IconTopologyRing },
  ],
];

/** Tools of the mode: navigation, its drawing tool, or all. */
function useRailGroups(): readonly (readonly RailTool[])[] {
  const { review, modes } = useSession();
  const mode = useAnnotate((state) => state.mode);
  const editing = useStore(review.state, (state) => state.editing);
  const single = useStore(modes.single.state, (state) => state.tool);
  if (mode === 'standard' || (mode === 'review' && editing)) return groups;
  const [looking = [], drawing = []] = groups;
  const armed = mode === 'single' ? drawing.filter(({ tool }) => tool === single) : [];
  return armed.length === 0 ? [looking] : [looking, armed];
}

const RailButton = (props: ComponentProps<typeof ActionButton>) => (
  <ActionButton {...props} side="right" size={36} iconSize={20} />
);

/** Toolbar on the left; a selected tool stays armed. */
export function ToolRail() {
  const t = useText();
  const { engine } = useSession();
  const current = useAnnotate((state) => state.tool);
  const keyOf = useShortcuts();
  const shown = useRailGroups();
  const isWhole = shown === groups;
  return (
    <div className={classes.rail} role="toolbar" aria-label={t('annotate.tools')} onMouseDown={keepFocus}>
      {shown.map((group, index) => (
        <Fragment key={group[0]?.tool}>
          {index > 0 && <span className={classes.rule} />}
          {group.map(({ tool, icon }) => (
            <RailButton
              key={tool}
              label={t(`actions.tool.${tool}`)}
              action={`tool.${tool}`}
              pressed={current === tool || (tool === 'brush' && isPaintTool(current))}
              icon={icon}
            />
          ))}
        </Fragment>
      ))}
      {isWhole && (
        <>
          <RailButton label={t('annotate.addTag')} action="label.tag" icon={IconTag} />
          <span className={classes.rule} />
          <RailButton
            label={t('assist.open')}
            action="model.panel"
            pressed={current === 'prompt'}
            icon={IconWand}
            testId="models-open"
          />
        </>
      )}
      <span className={classes.rule} />
      <IconButton
        label={t('actions.view.fit')}
        shortcut={keyOf('view.fit')}
        side="right"
        size={36}
        icon={<IconArrowsMaximize size={20} stroke={1.5} />}
        onClick={() => engine.fit()}
      />
    </div>
  );
}
