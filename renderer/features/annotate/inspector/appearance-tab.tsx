import { useState, type ReactNode } from 'react';
import type { Appearance } from '../../../canvas/types.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, SegmentedControl, Slider, Switch } from '../../../ui/kit.ts';
import { useSession } from '../session-context.ts';
import classes from './inspector.module.css';

const Setting = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className={classes.setting}>
    <span>{name}</span>
    {children}
  </div>
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
    <Slider
      size={4}
      thumbSize={14}
      min={min}
      max={max}
      step={0.01}
      label={percent}
      thumbLabel={name}
      value={value}
      onChange={onChange}
    />
  </Setting>
);

interface ToggleProps {
  readonly name: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

const Toggle = ({ name, on, onChange }: ToggleProps) => (
  <Setting name={name}>
    <Switch size="xs" aria-label={name} checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
  </Setting>
);

const ShapesPart = ({ value, onChange }: PartProps) => {
  const t = useText();
  return (
    <>
      <div className={classes.sectionHead}>{t('annotate.shapes')}</div>
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
        <SegmentedControl
          size="xs"
          data={[
            { value: 'label', label: t('annotate.colorByLabel') },
            { value: 'instance', label: t('annotate.colorByInstance') },
          ]}
          value={value.colorBy === 'group' ? 'label' : value.colorBy}
          onChange={(colorBy) => onChange({ colorBy })}
        />
      </Setting>
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
      <Toggle name={t('annotate.trackPath')} on={value.trackPath} onChange={(trackPath) => onChange({ trackPath })} />
      <Toggle name={t('annotate.crosshair')} on={value.crosshair} onChange={(crosshair) => onChange({ crosshair })} />
    </>
  );
};

const asItIs = { brightness: 1, contrast: 1, saturation: 1, gamma: 1 } as const;

const PicturePart = ({ value, onChange }: PartProps) => {
  const t = useText();
  const grid = { sizePx: 100, color: '#ffffff', opacity: 0.5 };
  return (
    <>
      <div className={classes.sectionHead}>
        {t('annotate.picture')}
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange(asItIs)}>
          {t('annotate.reset')}
        </Button>
      </div>
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
    </>
  );
};

/** How shapes and picture are shown; the service knows nothing of it. */
export function AppearanceTab() {
  const { engine } = useSession();
  const [value, setValue] = useState(() => engine.getAppearance());
  const change = (part: Partial<Appearance>): void => {
    engine.setAppearance(part);
    setValue(engine.getAppearance());
  };
  return (
    <div className={`${classes.scroll} ${classes.settings}`}>
      <ShapesPart value={value} onChange={change} />
      <PicturePart value={value} onChange={change} />
    </div>
  );
}
