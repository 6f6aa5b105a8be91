import { useSyncExternalStore } from 'react';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { useText } from '../../../../i18n/index.ts';
import { Select } from '../../../../ui/kit.ts';
import { LabelBox } from '../labels/label-box.tsx';
import { LabelChips } from '../labels/label-chips.tsx';
import { focusPicture } from '../../commands/focus.ts';
import { useAnnotate, useSession, useShortcuts } from '../session-context.ts';
import { ToolOptions } from '../tool-options.tsx';
import bars from '../workspace.module.css';
import { ChoiceSwitch, CountField } from './bar-fields.tsx';
import classes from './modes.module.css';
import { countOf, drawnLabels, toolsOf } from '../../model/modes/single-controller.ts';
import { useModeChoice, useSingle } from './use-modes.ts';

/** Label choice if there are several and none is chosen yet; the first ones have a digit. */
const Choices = ({ labels }: { readonly labels: readonly Label[] }) => {
  const t = useText();
  const { single } = useSession().modes;
  const keyOf = useShortcuts();
  const all = useAnnotate((state) => state.labels);
  const keyAt = (place: number) => (place < 9 ? keyOf(`single.label${place + 1}`) : undefined);
  const hint = t(labels.length === 0 ? 'desks.single.none' : 'desks.single.chooseFirst');
  return (
    <>
      <span className={classes.hint} role="status" title={hint}>
        {hint}
      </span>
      <LabelChips
        labels={labels}
        keyOf={(label) => keyAt(all.indexOf(label))}
        onPick={(label) => single.choose(label)}
      />
    </>
  );
};

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
    <div className={`${bars.labels} ${classes.tools}`} role="toolbar" aria-label={t('desks.single.bar')}>
      {labels.length > 0 && (
        <div style={{ display: 'contents' }} data-input="label">
          <LabelBox
            labels={labels}
            value={label}
            name={t('desks.single.label')}
            width={152}
            onPick={(next) => modes.single.choose(next)}
          />
        </div>
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
            focusPicture();
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
        <Choices labels={labels} />
      ) : (
        <span className={classes.word} data-testid="single-progress">
          {t('desks.single.progress', { now: countOf(engine.scene.all(), labelId), all: most })}
        </span>
      )}
      {label !== undefined && <span className={classes.space} />}
      <ToolOptions />
      <ChoiceSwitch name="nextAfterShapes" label={t('desks.single.nextFrame')} />
    </div>
  );
}
