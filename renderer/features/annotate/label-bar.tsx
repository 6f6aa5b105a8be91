import type { Ref } from 'react';
import { useText } from '../../i18n/index.ts';
import { keepFocus } from './action-list.ts';
import { LabelBox, LabelDot } from './label-box.tsx';
import classes from './label-box.module.css';
import { useAnnotate, useSession } from './session-context.ts';
import bars from './workspace.module.css';

/** The label of the next shapes: typed, clicked, or chosen by its number key. */
export function LabelBar({ input }: { readonly input: Ref<HTMLInputElement> }) {
  const t = useText();
  const { drawing } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const activeLabelId = useAnnotate((state) => state.activeLabelId);
  const create = (name: string): void => {
    void drawing.labelNamed(name).then((label) => label !== null && drawing.chooseLabel(label.id));
  };
  return (
    <div className={bars.labels} role="toolbar" aria-label={t('annotate.drawingLabel')}>
      <LabelBox
        labels={labels}
        value={labels.find((label) => label.id === activeLabelId)}
        name={t('annotate.drawingLabel')}
        input={input}
        width={176}
        onPick={(label) => drawing.chooseLabel(label.id)}
        onCreate={create}
      />
      <div className={classes.chips} onMouseDown={keepFocus}>
        {labels.map((label, index) => (
          <button
            key={label.id}
            type="button"
            className={classes.chip}
            data-active={label.id === activeLabelId || undefined}
            aria-pressed={label.id === activeLabelId}
            onClick={() => drawing.chooseLabel(label.id)}
          >
            {index < 9 && <span className={classes.key}>{index + 1}</span>}
            <LabelDot color={label.color} />
            {label.name}
          </button>
        ))}
      </div>
    </div>
  );
}
