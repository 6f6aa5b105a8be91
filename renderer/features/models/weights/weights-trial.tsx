import { IconPhotoScan } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { WeightsDescription } from '../../../../preload/contract/schema/weights.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { DropZone } from '../../../parts/files/drop-zone.tsx';
import { FileButton, Group, Loader, SmallButton, Stack, Text, useDebouncedValue } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { Problem } from '../../../ui/page.tsx';
import { readAnswer } from '../trial/detections.ts';
import { ImageView, type ImageSize } from '../trial/image-view.tsx';
import { noPrompts, type Corner } from '../trial/trial-fields.ts';
import { TryResult } from '../trial/try-result.tsx';

interface WeightsTrialProps {
  readonly id: string;
  readonly decoder: string | null;
  readonly name: string;
  readonly description: WeightsDescription;
}

interface Picture {
  readonly url: string;
  readonly base64: string;
  readonly size: ImageSize;
}

const typingPauseMs = 500;

async function readPicture(file: File): Promise<Picture> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const address = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(String(reader.result)));
      reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
      reader.readAsDataURL(file);
    });
    const size = { width: image.naturalWidth, height: image.naturalHeight };
    return { url, size, base64: address.slice(address.indexOf(',') + 1) };
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
}

/** A picture of the person's own, and what the model finds in it with the description as it stands now. */
export function WeightsTrial({ id, decoder, name, description }: WeightsTrialProps) {
  const t = useText();
  const [picture, setPicture] = useState<Picture | null>(null);
  const [points, setPoints] = useState<readonly Corner[]>([]);
  const show = async (file: File): Promise<void> => {
    try {
      setPicture(await readPicture(file));
      setPoints([]);
    } catch {
      notify.failure(t('modelWeights.test'), t('modelTry.noImage', { name: file.name }));
    }
  };
  const take = (file: File | null | undefined): void => {
    if (!file) return;
    void show(file);
  };
  useEffect(() => () => URL.revokeObjectURL(picture?.url ?? ''), [picture]);
  const isInteractor = description.kind === 'interactor';
  const [settled] = useDebouncedValue(description, typingPauseMs);
  const isReady = picture !== null && (!isInteractor || (points.length > 0 && decoder !== null));
  const trial = useQuery({
    queryKey: ['models', 'weights', id, decoder, picture?.url ?? '', settled, points],
    queryFn: ({ signal }) =>
      call('tryWeights', {
        body: {
          id,
          decoder,
          description: settled,
          image: picture?.base64 ?? '',
          points: points.map(([x, y]) => [x, y]),
        },
        signal,
      }),
    enabled: isReady,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const [minScore, setMinScore] = useState(0);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const text = isReady && trial.data !== undefined && !trial.isError ? trial.data.answer : null;
  const read = useMemo(() => (text === null ? null : readAnswer(text)), [text]);
  const shown = read?.detections.filter(({ score }) => score === null || score >= minScore) ?? [];
  if (picture === null) {
    return (
      <DropZone label={t('modelWeights.testDrop')} onFiles={([first]) => take(first?.file)}>
        <IconPhotoScan size={32} stroke={1.25} />
        <Text fw={600}>{t('modelWeights.testDrop')}</Text>
        <PictureButton words={t('modelTry.choose')} onFile={take} />
      </DropZone>
    );
  }
  return (
    <Stack gap="sm">
      <ImageView
        url={picture.url}
        label={t('modelWeights.picture', { name })}
        size={picture.size}
        detections={shown}
        highlighted={highlighted}
        prompts={{ ...noPrompts, positive: points }}
        onPoint={isInteractor ? (at) => setPoints((before) => [...before, at]) : null}
      />
      <Group gap="sm">
        <PictureButton words={t('modelTry.another')} onFile={take} />
        {isInteractor && points.length === 0 && (
          <Text fz="sm" role="status">
            {t('modelWeights.testClick')}
          </Text>
        )}
        {trial.isFetching && (
          <Group gap={8} role="status">
            <Loader size={16} />
            <Text fz="sm">{t('modelWeights.testing')}</Text>
          </Group>
        )}
      </Group>
      {trial.isError && <Problem title={t('modelWeights.testFailed')} message={messageOf(trial.error)} />}
      {read !== null && text !== null && (
        <TryResult
          answer={{ text, durationMs: trial.data?.duration_ms ?? 0 }}
          read={read}
          shown={shown}
          minScore={minScore}
          onMinScore={setMinScore}
          highlighted={highlighted}
          onHighlight={setHighlighted}
        />
      )}
    </Stack>
  );
}

function PictureButton({ words, onFile }: { readonly words: string; readonly onFile: (file: File | null) => void }) {
  return (
    <FileButton accept="image/*" onChange={onFile}>
      {(button) => <SmallButton {...button}>{words}</SmallButton>}
    </FileButton>
  );
}
