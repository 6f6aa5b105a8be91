import { IconRoute } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { keepFocus } from '../action-list.ts';
import { MaskOptions } from '../mask-options.tsx';
import { RectangleOptions } from '../rectangle-options.tsx';
import { ScissorsOptions } from '../scissors-options.tsx';
import { LabelBox, LabelDot } from './label-box.tsx';
import chips from '../chips.module.css';
import classes from './label-box.module.css';
import { useAnnotate, useLabelColor, useSession, useShortcuts } from '../session-context.ts';
import { useLabelKeys } from './label-keys.ts';
import { useRoom } from './use-room.ts';
import bars from '../workspace.module.css';

const LabelKey = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : <span className={classes.key}>{text}</span>;

const AsTrack = () => {
  const t = useText();
  const { trackDesk } = useSession();
  const keyOf = useShortcuts();
  const asTrack = useAnnotate((state) => state.asTrack);
  return (
    <div onMouseDown={keepFocus}>
      <IconButton
        label={t('track.asTrack')}
        shortcut={keyOf('track.draw')}
        pressed={asTrack}
        variant={asTrack ? 'light' : 'subtle'}
        icon={<IconRoute size={18} stroke={1.5} />}
        onClick={() => trackDesk.setAsTrack(!asTrack)}
      />
    </div>
  );
};

/** The label of the next shapes: typed, clicked, or chosen by its number key. */
export function LabelBar({ input }: { readonly input: RefObject<HTMLInputElement | null> }) {
  const t = useText();
  const { drawing } = useSession();
  const keyOf = useLabelKeys();
  const colorOf = useLabelColor();
  const labels = useAnnotate((state) => state.labels);
  const activeLabelId = useAnnotate((state) => state.activeLabelId);
  const { chips: row, shown } = useRoom(labels.length);
  const active = labels.findIndex(({ id }) => id === activeLabelId);
  const isMoved = active >= shown;
  const hidden = labels.length - shown;
  const isShown = (index: number): boolean => index === active || index < (isMoved ? shown - 1 : shown);
  return (
    <div className={bars.labels} role="toolbar" aria-label={t('annotate.drawingLabel')}>
      <div className={classes.box}>
        <LabelBox
          labels={labels}
          value={labels[active]}
          name={t('annotate.drawingLabel')}
          input={input}
          width={176}
          onPick={(label) => drawing.chooseLabel(label.id)}
          onCreate={(name) => void drawing.chooseNamed(name)}
        />
      </div>
      <div ref={row} className={chips.chips} onMouseDown={keepFocus}>
        {labels.map((label, index) => (
          <button
            key={label.id}
            type="button"
            className={chips.chip}
            title={label.name}
            data-moved={(index === active && isMoved) || undefined}
            data-cut={!isShown(index) || undefined}
            aria-pressed={index === active}
            onClick={() => drawing.chooseLabel(label.id)}
          >
            <LabelKey text={keyOf(label.name, index)} />
            <LabelDot color={colorOf(label)} />
            <span className={chips.name}>{label.name}</span>
          </button>
        ))}
      </div>
      {hidden > 0 && (
        <button
          type="button"
          className={chips.chip}
          title={t('annotate.moreLabels', { count: hidden })}
          aria-label={t('annotate.moreLabels', { count: hidden })}
          onClick={() => input.current?.focus()}
        >
          +{hidden}
        </button>
      )}
      <MaskOptions />
      <RectangleOptions />
      <ScissorsOptions />
      <AsTrack />
    </div>
  );
}
