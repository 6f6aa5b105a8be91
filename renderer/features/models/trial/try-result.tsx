import { formatFixed } from '../../../i18n/language.ts';
import { useMemo, useState } from 'react';
import type { TrialAnswer } from '../../../api/model-calls.ts';
import { useText } from '../../../i18n/index.ts';
import { JsonView } from '../../../shared/code/code-view.tsx';
import { formatDuration } from '../../../shared/format-text.ts';
import { Box, Hint, Slider, Stack, Text } from '../../../ui/kit.ts';
import { Fold } from '../../../ui/fold.tsx';
import { readAnswer } from './detections.ts';
import classes from './try.module.css';

export function useShown(text: string | null) {
  const [minScore, setMinScore] = useState(0);
  const [highlighted, highlight] = useState<number | null>(null);
  const read = useMemo(() => (text === null ? null : readAnswer(text)), [text]);
  const shown = useMemo(
    () => read?.detections.filter(({ score }) => score === null || score >= minScore) ?? [],
    [read, minScore],
  );
  return { read, shown, minScore, setMinScore, highlighted, highlight };
}

interface TryResultProps {
  readonly answer: TrialAnswer;
  readonly found: ReturnType<typeof useShown>;
}

/** Rendering longer answers, such as masks, would block the screen. */
const longestRaw = 200_000;

export function TryResult({ answer, found }: TryResultProps) {
  const { read, shown, minScore, setMinScore, highlighted, highlight } = found;
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  if (read === null) return null;
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
            onChange={setMinScore}
          />
        </div>
      )}
      {shown.length > 0 && (
        <ul className={classes.results} aria-label={t('modelTry.results')}>
          {shown.map((detection) => (
            <li
              key={detection.id}
              data-on={detection.id === highlighted || undefined}
              onPointerEnter={() => highlight(detection.id)}
              onPointerLeave={() => highlight(null)}
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
