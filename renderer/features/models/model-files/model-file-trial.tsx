import { IconPhotoScan } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { isPromptHead, type ModelDescription } from '../../../../preload/contract/schema/model-files.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { DropZone } from '../../../shared/files/drop-zone.tsx';
import { ChooseFile } from '../../../shared/files/file-buttons.tsx';
import { Group, Loader, Stack, Text, useDebouncedValue } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { Problem } from '../../../ui/page.tsx';
import { ImageView } from '../trial/image-view.tsx';
import { noPrompts, type Corner } from '../trial/trial-fields.ts';
import { TryResult, useShown } from '../trial/try-result.tsx';
import { PhrasesField } from '../../../shared/models/phrases-field.tsx';
import { useImage } from '../../../shared/files/use-image.ts';

interface ModelFileTrialProps {
  readonly id: string;
  readonly decoder: string | null;
  readonly name: string;
  readonly description: ModelDescription;
}

const typingPauseMs = 500;

export const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^.*?,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });

export function ModelFileTrial({ id, decoder, name, description }: ModelFileTrialProps) {
  const t = useText();
  const { picture, take } = useImage((name) => notify.failure(t('modelFiles.test'), t('modelTry.noImage', { name })));
  const image = useMemo(() => picture && base64Of(picture.file), [picture]);
  const [points, setPoints] = useState<readonly Corner[]>([]);
  const [phrases, setPhrases] = useState<readonly string[]>([]);
  const takesPhrases = isPromptHead(description.head);
  const show = async (file: File): Promise<void> => {
    if (await take(file)) setPoints([]);
  };
  const isInteractor = description.kind === 'interactor';
  const [settled] = useDebouncedValue(description, typingPauseMs);
  const isReady =
    picture !== null &&
    (!takesPhrases || phrases.length > 0) &&
    (!isInteractor || (points.length > 0 && decoder !== null));
  const trial = useQuery({
    queryKey: ['models', 'files', id, decoder, picture?.url ?? '', settled, points, phrases],
    queryFn: async ({ signal }) => {
      const at = points.map(([x, y]) => [x, y]);
      const body = {
        id,
        decoder,
        description: settled,
        image: (await image) ?? '',
        points: at,
        text_prompts: [...phrases],
      };
      return call('tryModelFile', { body, signal });
    },
    enabled: isReady,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const text = isReady && trial.data !== undefined && !trial.isError ? trial.data.answer : null;
  const found = useShown(text);
  if (picture === null) {
    return (
      <DropZone label={t('modelFiles.testDrop')} onFiles={([first]) => first && void show(first.file)}>
        <IconPhotoScan size={32} stroke={1.25} />
        <Text fw={600}>{t('modelFiles.testDrop')}</Text>
        <ChooseFile accept="image/*" onFile={(file) => void show(file)}>
          {t('modelTry.choose')}
        </ChooseFile>
      </DropZone>
    );
  }
  return (
    <Stack gap="sm">
      <ImageView
        url={picture.url}
        label={t('modelFiles.picture', { name })}
        size={picture.size}
        detections={found.shown}
        highlighted={found.highlighted}
        prompts={{ ...noPrompts, positive: points }}
        onPoint={isInteractor ? (at) => setPoints((before) => [...before, at]) : null}
      />
      {takesPhrases && <PhrasesField phrases={phrases} onChange={setPhrases} />}
      <Group gap="sm">
        <ChooseFile accept="image/*" onFile={(file) => void show(file)}>
          {t('modelTry.another')}
        </ChooseFile>
        {isInteractor && points.length === 0 && (
          <Text fz="sm" role="status">
            {t('modelFiles.testClick')}
          </Text>
        )}
        {trial.isFetching && (
          <Group gap={8} role="status">
            <Loader size={16} />
            <Text fz="sm">{t('modelFiles.testing')}</Text>
          </Group>
        )}
      </Group>
      {trial.isError && <Problem title={t('modelFiles.testFailed')} message={trial.error} />}
      {text !== null && <TryResult answer={{ text, durationMs: trial.data?.duration_ms ?? 0 }} found={found} />}
    </Stack>
  );
}
