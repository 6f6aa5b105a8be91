import { IconFocus, IconRectangle, IconSquareRotated, type Icon } from '@tabler/icons-react';
import { rectangleMethods, type RectangleMethod } from '../../canvas/tool-kinds.ts';
import { useText } from '../../i18n/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { keepFocus } from './action-list.ts';
import classes from './mask-options.module.css';
import { useAnnotate, useShortcuts, useWorkspace } from './session-context.ts';

const icons: Readonly<Record<RectangleMethod, Icon>> = {
  corners: IconRectangle,
  extreme: IconFocus,
  rotated: IconSquareRotated,
};

/** How rectangles are drawn; nothing while another tool is armed. */
export function RectangleOptions() {
  const t = useText();
  const { actions } = useWorkspace();
  const keyOf = useShortcuts();
  const tool = useAnnotate((state) => state.tool);
  const { rectangleMethod = 'corners' } = useAnnotate((state) => state.toolOptions);
  if (tool !== 'rectangle') return null;
  return (
    <div className={classes.options} role="toolbar" aria-label={t('annotate.rectangleTools')} onMouseDown={keepFocus}>
      {rectangleMethods.map((method) => {
        const MethodIcon = icons[method];
        return (
          <IconButton
            key={method}
            label={t(`actions.draw.rectangleMethod.${method}`)}
            shortcut={keyOf('draw.nextRectangleMethod')}
            size={28}
            pressed={rectangleMethod === method}
            icon={<MethodIcon size={18} stroke={1.5} />}
            onClick={() => actions.run(`draw.rectangleMethod.${method}`)}
          />
        );
      })}
    </div>
  );
}
