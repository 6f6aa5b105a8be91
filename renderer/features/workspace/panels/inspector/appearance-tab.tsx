import type { ReactNode } from 'react';
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
import { Histogram } from './histogram.tsx';
import classes from './inspector.module.css';
import { useAppearance } from '../scene-hooks.ts';

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
