import { type ReactNode, useMemo } from 'react';
import { shapeTextParts, type Appearance } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Slider,
  Stack,
  Switch,
} from '../../../../ui/kit.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { DisplayPart } from './display-part.tsx';
import classes from './inspector.module.css';
import { useAppearance } from '../scene-hooks.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { brightnessOf, equalizing } from '../../../../canvas/geometry/equalize.ts';

const bins = 64;
/** Side of the sampled copy, pixels. */
const sampleSide = 192;

/** Heights relative to the highest bin, from dark to light; null without an image. */
function sharesOf(engine: CanvasEngine, { gamma, equalize }: Appearance, scale: number): readonly number[] | null {
  const target = new OffscreenCanvas(sampleSide, sampleSide).getContext('2d', { willReadFrequently: true });
  if (target === null || !engine.drawPicture(target, scale)) return null;
  const { data } = target.getImageData(0, 0, sampleSide, sampleSide);
  const table = equalize ? equalizing(data) : null;
  const counts = Array.from({ length: bins }, () => 0);
  for (let place = 0; place < data.length; place += 4) {
    if ((data[place + 3] ?? 0) < 128) continue;
    const value = brightnessOf(data[place] ?? 0, data[place + 1] ?? 0, data[place + 2] ?? 0);
    const share = table?.[Math.round(value)] ?? value / 255;
    const bin = Math.min(bins - 1, Math.floor(share ** (1 / gamma) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  // Ignores pure black and white, which many images contain a lot of.
  const most = Math.max(1, ...counts.slice(1, -1));
  return counts.map((count) => Math.min(1, count / most));
}

function Histogram({ appearance }: { readonly appearance: Appearance }) {
  const t = useText();
  const { engine, metaOf } = useSession();
  const frame = useAnnotate((state) => state.frame);
  const picture = useAnnotate((state) => state.picture.kind);
  const shares = useMemo(() => {
    const { width = 1, height = 1 } = metaOf(frame) ?? {};
    return picture === 'ready' ? sharesOf(engine, appearance, Math.min(1, sampleSide / Math.max(width, height))) : null;
  }, [engine, metaOf, frame, picture, appearance]);
  if (shares === null) return null;
  const line = shares.map((share, bin) => `L${bin} ${(1 - share).toFixed(3)}L${bin + 1} ${(1 - share).toFixed(3)}`);
  return (
    <svg
      className={classes.histogram}
      viewBox={`0 0 ${bins} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('view.histogram')}
    >
      <path d={`M0 1${line.join('')}L${bins} 1Z`} />
    </svg>
  );
}

const Setting = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className={classes.setting}>
    <span>{name}</span>
    {children}
  </div>
);

const SectionHead = ({ children }: { readonly children: ReactNode }) => (
  <Group justify="space-between" wrap="nowrap" mih={24} fz="sm" fw={600}>
    {children}
  </Group>
);

interface PartProps {
  readonly value: Appearance;
  readonly onChange: (change: Partial<Appearance>) => void;
}

const percent = (value: number): string => `${Math.round(value * 100)} %`;

interface ShareSliderProps {
  readonly name: string;
  readonly value: number;
  readonly min?: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

const ShareSlider = ({ name, value, min = 0, max, onChange }: ShareSliderProps) => (
  <Setting name={name}>
    <div className={classes.slider}>
      <Slider
        flex={1}
        size={4}
        thumbSize={14}
        min={min}
        max={max}
        step={0.01}
        label={null}
        thumbLabel={name}
        value={value}
        onChange={onChange}
      />
      <span className={classes.sliderValue}>{percent(value)}</span>
    </div>
  </Setting>
);

interface ToggleProps {
  readonly name: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

const Toggle = ({ name, on, onChange }: ToggleProps) => (
  <Setting name={name}>
    <Switch size="xs" aria-label={name} checked={on} onChange={onChange} />
  </Setting>
);

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly data: { value: Value; label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** For options that do not fit into a segmented control. */
const Choice = <Value extends string>({ name, data, value, onChange }: ChoiceProps<Value>) => (
  <Select
    size="xs"
    aria-label={name}
    allowDeselect={false}
    data={data}
    value={value}
    onChange={(next) => onChange(next as Value)}
  />
);

const colorings = ['label', 'instance', 'group', 'track'] as const;
const palettes = ['labels', 'safe'] as const;

const ShapesPart = ({ value, onChange }: PartProps) => {
  const t = useText();
  return (
    <>
      <SectionHead>{t('annotate.shapes')}</SectionHead>
      {(['opacity', 'selectedOpacity'] as const).map((name) => (
        <ShareSlider
          key={name}
          name={t(`annotate.${name}`)}
          max={1}
          value={value[name]}
          onChange={(next) => onChange({ [name]: next })}
        />
      ))}
      <Setting name={t('annotate.colorBy')}>
        <Choice
          name={t('annotate.colorBy')}
          data={colorings.map((one) => ({ value: one, label: t(`view.colorBy.${one}`) }))}
          value={value.colorBy}
          onChange={(colorBy) => onChange({ colorBy })}
        />
      </Setting>
      <Setting name={t('view.palette')}>
        <Choice
          name={t('view.palette')}
          data={palettes.map((one) => ({ value: one, label: t(`view.palettes.${one}`) }))}
          value={value.palette}
          onChange={(palette) => onChange({ palette })}
        />
      </Setting>
      <Toggle name={t('view.halo')} on={value.halo} onChange={(halo) => onChange({ halo })} />
      <Setting name={t('annotate.showNames')}>
        <SegmentedControl
          size="xs"
          data={[
            { value: 'none', label: t('annotate.namesNone') },
            { value: 'active', label: t('annotate.namesActive') },
            { value: 'all', label: t('annotate.namesAll') },
          ]}
          value={value.showLabels}
          onChange={(showLabels) => onChange({ showLabels })}
        />
      </Setting>
      <Setting name={t('annotate.point.names')}>
        <SegmentedControl
          size="xs"
          aria-label={t('annotate.point.names')}
          data={[
            { value: 'none', label: t('annotate.namesNone') },
            { value: 'active', label: t('annotate.namesActive') },
            { value: 'all', label: t('annotate.namesAll') },
          ]}
          value={value.pointNames}
          onChange={(pointNames) => onChange({ pointNames })}
        />
      </Setting>
      <Checkbox.Group
        label={t('view.texts')}
        size="xs"
        value={[...value.texts]}
        // Fixed order, independent of the order of selection.
        onChange={(chosen) => onChange({ texts: shapeTextParts.filter((part) => chosen.includes(part)) })}
      >
        <Group gap={12} mt={4}>
          {shapeTextParts.map((part) => (
            <Checkbox key={part} size="xs" value={part} label={t(`view.text.${part}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Toggle name={t('annotate.trackPath')} on={value.trackPath} onChange={(trackPath) => onChange({ trackPath })} />
      <Toggle name={t('annotate.snapping')} on={value.snapping} onChange={(snapping) => onChange({ snapping })} />
      <Toggle
        name={t('annotate.wheelScrolls')}
        on={value.wheelScrolls}
        onChange={(wheelScrolls) => onChange({ wheelScrolls })}
      />
      <Toggle name={t('annotate.crosshair')} on={value.crosshair} onChange={(crosshair) => onChange({ crosshair })} />
    </>
  );
};

const asItIs = { brightness: 1, contrast: 1, saturation: 1, gamma: 1, equalize: false } as const;

const PicturePart = ({ value, onChange }: PartProps) => {
  const t = useText();
  const grid = { sizePx: 100, color: '#ffffff', opacity: 0.5 };
  const { deletedFrames, display } = useSession();
  const showDeleted = useAnnotate((state) => state.showDeleted);
  return (
    <>
      <SectionHead>
        {t('annotate.picture')}
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => {
            onChange(asItIs);
            display.reset();
          }}
        >
          {t('annotate.reset')}
        </Button>
      </SectionHead>
      <Histogram appearance={value} />
      <DisplayPart />
      {(['brightness', 'contrast', 'saturation', 'gamma'] as const).map((name) => (
        <ShareSlider
          key={name}
          name={t(`annotate.${name}`)}
          min={name === 'gamma' ? 0.1 : 0}
          max={name === 'gamma' ? 3 : 2}
          value={value[name]}
          onChange={(next) => onChange({ [name]: next })}
        />
      ))}
      <Toggle name={t('view.equalize')} on={value.equalize} onChange={(equalize) => onChange({ equalize })} />
      <Toggle
        name={t('annotate.smooth')}
        on={value.smoothImage}
        onChange={(smoothImage) => onChange({ smoothImage })}
      />
      <Toggle
        name={t('annotate.grid')}
        on={value.grid !== null}
        onChange={(on) => onChange({ grid: on ? grid : null })}
      />
      {value.grid !== null && (
        <NumberInput
          size="xs"
          label={t('view.gridSize')}
          min={2}
          max={10_000}
          value={value.grid.sizePx}
          onChange={(size) => {
            if (Number(size) >= 2) onChange({ grid: { ...grid, sizePx: Number(size) } });
          }}
        />
      )}
      <Toggle name={t('view.minimap')} on={value.minimap} onChange={(minimap) => onChange({ minimap })} />
      <Toggle name={t('annotate.showDeleted')} on={showDeleted} onChange={deletedFrames.show} />
    </>
  );
};

/** Display settings of shapes and image. They stay in this window's storage. */
export function AppearanceTab() {
  const { engine } = useSession();
  const value = useAppearance();
  const change = engine.setAppearance;
  return (
    <Stack className={classes.scroll ?? ''} gap={16} p={16}>
      <ShapesPart value={value} onChange={change} />
      <PicturePart value={value} onChange={change} />
    </Stack>
  );
}
