import { IconCheck, IconMinus, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ModelFileInspection, ModelReading } from '../../../../preload/contract/schema/model-files.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { ChooseFile } from '../../../shared/files/file-buttons.tsx';
import type { Picture } from '../../../shared/files/use-image.ts';
import { Group, Hint, Loader, Mono, SmallButton, Stack, Text, Title, useHotkeys } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { Problem } from '../../../ui/page.tsx';
import { ImageView } from '../trial/image-view.tsx';
import { noPrompts } from '../trial/trial-fields.ts';
import { useShown } from '../trial/try-result.tsx';
import classes from './model-file-page.module.css';
import { useEvidenceText } from './evidence-text.ts';
import { base64Of } from './model-file-trial.tsx';
import { useSample } from './use-sample.ts';

interface ModelQuestionProps {
  readonly model: ModelFileInspection;
  readonly chosen: string | null;
  readonly onChoose: (reading: ModelReading) => void;
}

/** Readings that fit a file equally well, each with its result on one image. Nothing is preselected. */
export function ModelQuestion({ model, chosen, onChoose }: ModelQuestionProps) {
  const t = useText();
  const { readings } = model;
  const { picture, take } = useSample((name) => notify.failure(t('modelFiles.test'), t('modelTry.noImage', { name })));
  const choose = (index: number): void => {
    const reading = readings[index];
    if (reading?.description) onChoose(reading);
  };
  useHotkeys(readings.map((_, index) => [String(index + 1), () => choose(index)]));
  return (
    <Stack gap="sm">
      <div className={classes.question}>
        <Title order={2} fz="md">
          {t('modelFiles.question')}
        </Title>
        <Hint span>{t('modelFiles.questionText', { count: readings.length })}</Hint>
        <ChooseFile accept="image/*" onFile={(file) => void take(file)}>
          {t('modelFiles.anotherImage')}
        </ChooseFile>
      </div>
      <div className={classes.readings}>
        {readings.map((reading, index) => (
          <ReadingCard
            key={reading.id}
            model={model}
            reading={reading}
            number={index + 1}
            picture={picture}
            isChosen={reading.id === chosen}
            onChoose={() => choose(index)}
          />
        ))}
      </div>
    </Stack>
  );
}

interface ReadingCardProps {
  readonly model: ModelFileInspection;
  readonly reading: ModelReading;
  readonly number: number;
  readonly picture: Picture | null;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ReadingCard({ model, reading, number, picture, isChosen, onChoose }: ReadingCardProps) {
  const t = useText();
  const say = useEvidenceText();
  const { formula, description, missing, reasons, against } = reading;
  const name = say(reading.name);
  return (
    <section
      className={classes.reading}
      data-chosen={isChosen || undefined}
      aria-label={t('modelFiles.readingCard', { number, name })}
    >
      <div className={classes.readingHead}>
        <kbd className={classes.key}>{number}</kbd>
        <Text fw={600} fz="sm">
          {name}
        </Text>
        <Mono>{formula}</Mono>
        {description !== null && (
          <SmallButton
            aria-pressed={isChosen}
            leftSection={isChosen ? <IconCheck size={14} /> : undefined}
            onClick={onChoose}
          >
            {t(isChosen ? 'modelFiles.chosen' : 'modelFiles.chooseReading')}
          </SmallButton>
        )}
      </div>
      {picture !== null && description !== null && <ReadingResult id={model.id} reading={reading} picture={picture} />}
      {missing !== null && <Text fz="sm">{t('modelFiles.unusable', { reason: say(missing) })}</Text>}
      <ul className={classes.evidence}>
        {reasons.map((one) => (
          <li key={one}>
            <IconPlus size={14} aria-label={t('modelFiles.evidenceFor')} data-kind="for" />
            {say(one)}
          </li>
        ))}
        {against.map((one) => (
          <li key={one}>
            <IconMinus size={14} aria-label={t('modelFiles.evidenceAgainst')} data-kind="against" />
            {say(one)}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ReadingResultProps {
  readonly id: string;
  readonly reading: ModelReading;
  readonly picture: Picture;
}

function ReadingResult({ id, reading, picture }: ReadingResultProps) {
  const t = useText();
  const { description } = reading;
  const name = useEvidenceText()(reading.name);
  const image = useMemo(() => base64Of(picture.file), [picture]);
  const trial = useQuery({
    queryKey: ['models', 'files', id, 'reading', reading.id, picture.url],
    queryFn: async ({ signal }) => {
      if (description === null) return null;
      return call('tryModelFile', { body: { id, decoder: null, description, image: await image, points: [] }, signal });
    },
    retry: false,
    gcTime: 0,
  });
  const found = useShown(trial.data?.answer ?? null);
  const isEmpty = trial.isSuccess && found.shown.length === 0;
  return (
    <>
      <ImageView
        url={picture.url}
        label={t('modelFiles.picture', { name })}
        size={picture.size}
        detections={found.shown}
        highlighted={null}
        prompts={noPrompts}
        onPoint={null}
      />
      {trial.isFetching && (
        <Group gap={8} role="status">
          <Loader size={16} />
          <Text fz="sm">{t('modelFiles.testing')}</Text>
        </Group>
      )}
      {isEmpty && (
        <Text fz="sm" role="status">
          {t('modelFiles.noResults')}
        </Text>
      )}
      {trial.isError && <Problem title={t('modelFiles.testFailed')} message={messageOf(trial.error)} />}
    </>
  );
}
