import { useSyncExternalStore } from 'react';
import { useText } from '../../../../i18n/index.ts';
import { Select } from '../../../../ui/kit.ts';
import { LabelBox } from '../../labels/label-box.tsx';
import { MaskOptions } from '../../mask-options.tsx';
import { RectangleOptions } from '../../rectangle-options.tsx';
import { useAnnotate, useSession } from '../../session-context.ts';
import bars from '../../workspace.module.css';
import { ChoiceSwitch } from '../choice-switch.tsx';
import { CountField } from '../count-field.tsx';
import classes from '../modes.module.css';
import { useModeChoice, useSingle } from '../use-modes.ts';
import { countOf, drawnLabels, toolsOf } from './single-desk.ts';

const leaveField = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

/** What is drawn, how often on a frame, and how far this frame is. */
export function SingleBar() {
  const t = useText();
  const { engine, modes } = useSession();
  const labels = drawnLabels(useAnnotate((state) => state.labels));
  const labelId = useSingle((state) => state.labelId);
  const tool = useSingle((state) => state.tool);
  const most = useModeChoice('shapeCount');
  useSyncExternalStore(engine.scene.subscribe, () => engine.scene.version);
  const label = labels.find(({ id }) => id === labelId);
  const tools = label === undefined ? [] : toolsOf(label);
  return (
    <div className={bars.labels} role="toolbar" aria-label={t('desks.single.bar')}>
      {labels.length > 0 && (
        <LabelBox
          labels={labels}
          value={label}
          name={t('desks.single.label')}
          width={152}
          onPick={(next) => modes.single.choose(next)}
        />
      )}
      {label !== undefined && tools.length > 1 && (
        <Select
          size="xs"
          w={120}
          aria-label={t('desks.single.tool')}
          allowDeselect={false}
          data={tools.map((one) => ({ value: one, label: t(`actions.tool.${one}`) }))}
          value={tool}
          onChange={(value) => {
            modes.single.choose(label, tools.find((one) => one === value) ?? null);
            leaveField();
          }}
        />
      )}
      <CountField
        name={t('desks.single.count')}
        value={most}
        least={1}
        most={1000}
        onChange={(value) => modes.choices.set({ shapeCount: value })}
      />
      {label === undefined ? (
        <span className={classes.hint} role="status">
          {t(labels.length === 0 ? 'desks.single.none' : 'desks.single.chooseFirst')}
        </span>
      ) : (
        <span className={classes.word} data-testid="single-progress">
          {t('desks.single.progress', { now: countOf(engine.scene.all(), labelId), all: most })}
        </span>
      )}
      <span className={classes.space} />
      <MaskOptions />
      <RectangleOptions />
      <ChoiceSwitch name="nextAfterShapes" label={t('desks.single.nextFrame')} />
    </div>
  );
}
