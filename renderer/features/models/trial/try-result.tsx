import { formatFixed } from '../../../i18n/language.ts';
import { useState } from 'react';
import type { TrialAnswer } from '../../../api/model-calls.ts';
import { useText } from '../../../i18n/index.ts';
import { JsonView } from '../../../parts/code/json-view.tsx';
import { formatDuration } from '../../../parts/format-text.ts';
import { Box, Hint, Slider, Stack, Text } from '../../../ui/kit.ts';
import { Fold } from '../../../ui/fold.tsx';
import type { Detection, ReadAnswer } from './detections.ts';
import classes from './try.module.css';

interface TryResultProps {
  readonly answer: TrialAnswer;
  readonly read: ReadAnswer;
  readonly shown: readonly Detection[];
  readonly minScore: number;
  readonly onMinScore: (score: number) => void;
  readonly highlighted: number | null;
  readonly onHighlight: (id: number | null) => void;
}

/** Longer answers, for example of masks, would hold up the screen. */
const longestRaw = 200_000;

/** What came back: results with their score, a filter over them, and the answer as it came. */
export function TryResult(props: TryResultProps) {
  const { answer, read, shown, minScore, onMinScore, highlighted, onHighlight } = props;
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const { detections, notes } = read;
  const hasScores = detections.some(({ score }) => score !== null);
  const count = detections.length;
  const words =
    shown.length === count ? t('modelTry.count', { count }) : t('modelTry.countShown', { shown: shown.length, count });
  const raw = answer.text.length > longestRaw ? `${answer.text.slice(0, longestRaw)} …` : answer.text;
  return (
    <Stack gap="sm" data-testid="try-result">
      <Text fz="sm" role="status">
        <b>{words}</b>
        {' · '}
        {t('modelTry.took', { duration: formatDuration(answer.durationMs) })}
      </Text>
      {count === 0 && notes.length === 0 && <Text fz="sm">{t('modelTry.nothingFound')}</Text>}
      {notes.map((note) => (
        <Text key={note} fz="sm" role="status">
          {t(`modelTry.note.${note}`)}
        </Text>
      ))}
      {hasScores && (
        <div>
          <Hint id="min-score">
            {t('modelTry.minScore')} {formatFixed(minScore, 2)}
          </Hint>
          <Slider
            size="sm"
            min={0}
            max={1}
            step={0.05}
            label={null}
            thumbProps={{ 'aria-labelledby': 'min-score' }}
            value={minScore}
            onChange={onMinScore}
          />
        </div>
      )}
      {shown.length > 0 && (
        <ul className={classes.results} aria-label={t('modelTry.results')}>
          {shown.map((detection) => (
            <li
              key={detection.id}
              data-on={detection.id === highlighted || undefined}
              onPointerEnter={() => onHighlight(detection.id)}
              onPointerLeave={() => onHighlight(null)}
            >
              <span className={classes.swatch} style={{ background: detection.color }} />
              <span className={classes.resultName}>{detection.label || t('modelTry.unnamed')}</span>
              <Hint span>{[detection.kind, ...detection.attributes].join(' · ')}</Hint>
              <span className={classes.score}>{detection.score == null ? '' : formatFixed(detection.score, 2)}</span>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Text fz="xs" component="div">
          <Fold isOpen={isOpen} onChange={setOpen}>
            {t('modelTry.raw')}
          </Fold>
        </Text>
        {isOpen && (
          <Box mt={8}>
            <JsonView text={raw} label={t('modelTry.raw')} maxHeight={320} />
          </Box>
        )}
      </div>
    </Stack>
  );
}
