import { useText } from '../../../../i18n/index.ts';
import { SegmentedControl, Tooltip } from '../../../../ui/kit.ts';
import { focusPicture } from '../../commands/focus.ts';
import { useLabelKeys, useAnnotate, useSession, useShortcuts } from '../session-context.ts';
import { ToolOptions } from '../tool-options.tsx';
import { LabelBox } from './label-box.tsx';
import { LabelChips } from './label-chips.tsx';
import bars from '../workspace.module.css';

const AsTrack = () => {
  const t = useText();
  const { trackController } = useSession();
  const keyOf = useShortcuts();
  const key = keyOf('track.draw');
  const asTrack = useAnnotate((state) => state.asTrack);
  return (
    <Tooltip label={`${t('track.asTrack')}${key === undefined ? '' : ` (${key})`}`}>
      <SegmentedControl
        size="xs"
        flex="none"
        aria-label={t('track.drawAs')}
        value={asTrack ? 'track' : 'shape'}
        data={[
          { value: 'shape', label: t('track.drawShape') },
          { value: 'track', label: t('track.drawTrack') },
        ]}
        onChange={(value) => {
          trackController.setAsTrack(value === 'track');
          focusPicture();
        }}
      />
    </Tooltip>
  );
};

export function LabelBar() {
  const t = useText();
  const { drawing } = useSession();
  const keyOf = useLabelKeys();
  const labels = useAnnotate((state) => state.labels);
  const activeLabelId = useAnnotate((state) => state.activeLabelId);
  const active = labels.findIndex(({ id }) => id === activeLabelId);
  return (
    <div className={bars.labels} role="toolbar" aria-label={t('annotate.drawingLabel')}>
      <div style={{ flex: 'none' }} data-input="label">
        <LabelBox
          labels={labels}
          value={labels[active]}
          name={t('annotate.drawingLabel')}
          width={176}
          onPick={(label) => drawing.chooseLabel(label.id)}
          onCreate={(name) => void drawing.chooseNamed(name)}
        />
      </div>
      <LabelChips
        labels={labels}
        active={active}
        keyOf={({ name }, index) => keyOf(name, index)}
        onPick={({ id }) => drawing.chooseLabel(id)}
      />
      <ToolOptions />
      <AsTrack />
    </div>
  );
}
