import { IconLineDashed, IconVectorSpline } from '@tabler/icons-react';
import { scissorsChoices } from '../../canvas/tool-kinds.ts';
import { useText } from '../../i18n/index.ts';
import { NumberInput, Slider, Tooltip } from '../../ui/kit.ts';
import { keepFocus } from './action-list.ts';
import classes from './mask-options.module.css';
import { useAnnotate, useSession } from './session-context.ts';

const { wireTolerance: tolerances, anchorDistance: distances } = scissorsChoices;

/** How closely the scissors follow an edge, and when they set points by themselves; nothing while another tool is armed. */
export function ScissorsOptions() {
  const t = useText();
  const { engine } = useSession();
  const tool = useAnnotate((state) => state.tool);
  const options = useAnnotate((state) => state.toolOptions);
  if (tool !== 'scissors') return null;
  const { wireTolerance = tolerances.usual, anchorDistance = distances.usual } = options;
  return (
    <div className={classes.options} role="toolbar" aria-label={t('annotate.scissorsTools')} onMouseDown={keepFocus}>
      <Tooltip label={t('annotate.wireTolerance')}>
        <IconVectorSpline size={18} stroke={1.5} aria-hidden />
      </Tooltip>
      <Slider
        w={96}
        size="xs"
        label={(value) => value}
        thumbLabel={t('annotate.wireTolerance')}
        min={tolerances.min}
        max={tolerances.max}
        step={tolerances.step}
        value={wireTolerance}
        onChange={(value) => engine.setTool(tool, { wireTolerance: value })}
      />
      <span className={classes.rule} />
      <Tooltip label={t('annotate.anchorDistance')}>
        <IconLineDashed size={18} stroke={1.5} aria-hidden />
      </Tooltip>
      <NumberInput
        w={64}
        size="xs"
        aria-label={t('annotate.anchorDistance')}
        min={distances.min}
        max={distances.max}
        step={distances.step}
        clampBehavior="strict"
        value={anchorDistance}
        onChange={(value) => typeof value === 'number' && engine.setTool(tool, { anchorDistance: value })}
      />
    </div>
  );
}
