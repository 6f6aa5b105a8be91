import {
  IconBrush,
  IconBucketDroplet,
  IconCircle,
  IconEraser,
  IconHexagonMinus,
  IconHexagonPlus,
  IconLayersSubtract,
  IconSquare,
  type Icon,
} from '@tabler/icons-react';
import { isPaintTool } from '../../canvas/tool-kinds.ts';
import type { ToolId } from '../../canvas/types.ts';
import { useText } from '../../i18n/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { NumberInput, Slider } from '../../ui/kit.ts';
import { keepFocus } from './action-list.ts';
import classes from './mask-options.module.css';
import { useAnnotate, useShortcuts, useWorkspace } from './session-context.ts';

const tools: readonly { readonly tool: ToolId; readonly icon: Icon }[] = [
  { tool: 'brush', icon: IconBrush },
  { tool: 'eraser', icon: IconEraser },
  { tool: 'maskPlus', icon: IconHexagonPlus },
  { tool: 'maskMinus', icon: IconHexagonMinus },
];
const largest = 1000;
/** The slider has most of its way for the small sizes, where a pixel counts. */
const sizeOf = (place: number): number => Math.max(1, Math.round(largest ** (place / 100)));
const placeOf = (size: number): number => (Math.log(size) / Math.log(largest)) * 100;

/** What the tools that paint a mask need; nothing while another one is armed. */
export function MaskOptions() {
  const t = useText();
  const { session, actions } = useWorkspace();
  const keyOf = useShortcuts();
  const tool = useAnnotate((state) => state.tool);
  const { brushDiameter = 24, brushForm = 'circle', takeBelow = false } = useAnnotate((state) => state.toolOptions);
  if (!isPaintTool(tool)) return null;
  const resize = (size: number): void => session.engine.setTool(tool, { brushDiameter: size });
  const isRound = brushForm === 'circle';
  const toggles = [
    { id: 'draw.brushForm', pressed: undefined, icon: isRound ? IconCircle : IconSquare },
    { id: 'draw.takeBelow', pressed: takeBelow, icon: IconLayersSubtract },
    { id: 'draw.fillHoles', pressed: undefined, icon: IconBucketDroplet },
  ] as const;
  return (
    <div className={classes.options} role="toolbar" aria-label={t('annotate.maskTools')} onMouseDown={keepFocus}>
      {tools.map(({ tool: one, icon: ToolIcon }) => (
        <IconButton
          key={one}
          label={t(`actions.tool.${one}`)}
          shortcut={keyOf(`tool.${one}`)}
          size={28}
          pressed={tool === one}
          icon={<ToolIcon size={18} stroke={1.5} />}
          onClick={() => actions.run(`tool.${one}`)}
        />
      ))}
      <span className={classes.rule} />
      <Slider
        w={112}
        size="xs"
        label={null}
        thumbLabel={t('annotate.brushSize')}
        value={placeOf(brushDiameter)}
        onChange={(place) => resize(sizeOf(place))}
        thumbProps={{ 'aria-valuetext': String(brushDiameter) }}
      />
      <NumberInput
        w={64}
        size="xs"
        aria-label={t('annotate.brushSize')}
        min={1}
        max={largest}
        clampBehavior="strict"
        value={brushDiameter}
        onChange={(size) => typeof size === 'number' && size >= 1 && resize(size)}
      />
      <span className={classes.rule} />
      {toggles.map(({ id, pressed, icon: ToggleIcon }) => (
        <IconButton
          key={id}
          label={t(`actions.${id}`)}
          shortcut={keyOf(id)}
          size={28}
          pressed={pressed}
          icon={<ToggleIcon size={18} stroke={1.5} />}
          onClick={() => actions.run(id)}
        />
      ))}
    </div>
  );
}
