import {
  IconBrush,
  IconBucketDroplet,
  IconCircle,
  IconEraser,
  IconFocus,
  IconHexagonMinus,
  IconHexagonPlus,
  IconLayersSubtract,
  IconLineDashed,
  IconRectangle,
  IconSquare,
  IconSquareRotated,
  IconVectorSpline,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import {
  hasRectangleMethods,
  isPaintTool,
  rectangleMethods,
  scissorsChoices,
  type RectangleMethod,
} from '../../../canvas/tool-kinds.ts';
import type { ToolId } from '../../../canvas/types.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Group, NumberInput, Slider, Tooltip } from '../../../ui/kit.ts';
import { ActionButton } from './action-button.tsx';
import { keepFocus } from '../commands/focus.ts';
import { useAnnotate, useSession, useShortcuts, useWorkspace } from './session-context.ts';
import classes from './tool-options.module.css';

interface OptionsProps {
  readonly name: string;
  /** True if the options do not fit beside the labels. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

const Options = ({ name, wide = false, children }: OptionsProps) => (
  <Group
    gap={4}
    wrap="nowrap"
    flex="none"
    role="toolbar"
    aria-label={name}
    className={wide ? (classes.wide ?? '') : ''}
    onMouseDown={keepFocus}
  >
    {children}
  </Group>
);

const paintTools: readonly { readonly tool: ToolId; readonly icon: Icon }[] = [
  { tool: 'brush', icon: IconBrush },
  { tool: 'eraser', icon: IconEraser },
  { tool: 'maskPlus', icon: IconHexagonPlus },
  { tool: 'maskMinus', icon: IconHexagonMinus },
];
const largest = 1000;
/** Most of the slider covers small sizes, where single pixels matter. */
const sizeOf = (place: number): number => Math.max(1, Math.round(largest ** (place / 100)));
const placeOf = (size: number): number => (Math.log(size) / Math.log(largest)) * 100;

function MaskOptions({ tool }: { readonly tool: ToolId }) {
  const t = useText();
  const { engine } = useSession();
  const { brushDiameter = 24, brushForm = 'circle', takeBelow = false } = useAnnotate((state) => state.toolOptions);
  const resize = (size: number): void => engine.setTool(tool, { brushDiameter: size });
  const toggles = [
    { id: 'draw.brushForm', pressed: undefined, icon: brushForm === 'circle' ? IconCircle : IconSquare },
    { id: 'draw.takeBelow', pressed: takeBelow, icon: IconLayersSubtract },
    { id: 'draw.fillHoles', pressed: undefined, icon: IconBucketDroplet },
  ] as const;
  return (
    <Options wide name={t('annotate.maskTools')}>
      {paintTools.map(({ tool: one, icon }) => (
        <ActionButton
          key={one}
          label={t(`actions.tool.${one}`)}
          action={`tool.${one}`}
          size={28}
          pressed={tool === one}
          icon={icon}
          iconSize={18}
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
        value={brushDiameter}
        onChange={(size) => typeof size === 'number' && size >= 1 && resize(size)}
      />
      <span className={classes.rule} />
      {toggles.map(({ id, pressed, icon }) => (
        <ActionButton
          key={id}
          label={t(`actions.${id}`)}
          action={id}
          size={28}
          pressed={pressed}
          icon={icon}
          iconSize={18}
        />
      ))}
    </Options>
  );
}

const rectangleIcons: Readonly<Record<RectangleMethod, Icon>> = {
  corners: IconRectangle,
  extreme: IconFocus,
  rotated: IconSquareRotated,
};

function RectangleOptions() {
  const t = useText();
  const { actions } = useWorkspace();
  const keyOf = useShortcuts();
  const { rectangleMethod = 'corners' } = useAnnotate((state) => state.toolOptions);
  return (
    <Options name={t('annotate.rectangleTools')}>
      {rectangleMethods.map((method) => {
        const MethodIcon = rectangleIcons[method];
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
    </Options>
  );
}

const { wireTolerance: tolerances, anchorDistance: distances } = scissorsChoices;

/** How closely the scissors follow an edge, and when they set points automatically. */
function ScissorsOptions() {
  const t = useText();
  const { engine } = useSession();
  const options = useAnnotate((state) => state.toolOptions);
  const { wireTolerance = tolerances.usual, anchorDistance = distances.usual } = options;
  return (
    <Options wide name={t('annotate.scissorsTools')}>
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
        onChange={(value) => engine.setTool('scissors', { wireTolerance: value })}
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
        value={anchorDistance}
        onChange={(value) => typeof value === 'number' && engine.setTool('scissors', { anchorDistance: value })}
      />
    </Options>
  );
}

/** Options of the armed tool; empty for most. */
export function ToolOptions() {
  const tool = useAnnotate((state) => state.tool);
  return (
    <div className={classes.slot}>
      {isPaintTool(tool) && <MaskOptions tool={tool} />}
      {hasRectangleMethods(tool) && <RectangleOptions />}
      {tool === 'scissors' && <ScissorsOptions />}
    </div>
  );
}
