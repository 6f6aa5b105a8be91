import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import {
  Autocomplete,
  Group,
  Hint,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  SmallButton,
  Stack,
  Text,
} from '../../../ui/kit.ts';
import { imageChoices } from '../deploy/image-fields.tsx';
import { BaseImageDialog } from '../engine/base-image-dialog.tsx';

export interface ContainerDraft {
  readonly baseImage: string;
  readonly gpus: number | '';
  readonly gpuMemoryMiB: number | '';
}

/** In the service's format; null if the model runs in Limner. */
export function containerBody(draft: ContainerDraft | null) {
  if (draft === null) return null;
  const { baseImage, gpus, gpuMemoryMiB } = draft;
  const limits: Record<string, string> = gpus === '' || gpus === 0 ? {} : { 'nvidia.com/gpu': String(gpus) };
  return {
    base_image: baseImage.trim(),
    resource_limits: limits,
    ...(gpuMemoryMiB === '' ? {} : { gpu_memory_mib: gpuMemoryMiB }),
  };
}

interface Props {
  /** Null if the model runs in Limner. */
  readonly container: ContainerDraft | null;
  readonly onChange: (container: ContainerDraft | null) => void;
}

/** Chooses where a model runs: in Limner, or in a container with limits and GPUs. */
export function ContainerFields({ container, onChange }: Props) {
  const t = useText();
  return (
    <Stack gap="xs">
      <Text fz="xs" fw={500}>
        {t('modelFiles.runs')}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={t('modelFiles.runs')}
        value={container === null ? 'limner' : 'container'}
        onChange={(value) => onChange(value === 'limner' ? null : { baseImage: '', gpus: '', gpuMemoryMiB: '' })}
        data={[
          { value: 'limner', label: t('modelFiles.inLimner') },
          { value: 'container', label: t('modelFiles.inContainer') },
        ]}
      />
      {container !== null && <Fields container={container} onChange={onChange} />}
    </Stack>
  );
}

const numberOr = (value: number | string): number | '' => (typeof value === 'number' ? value : '');

function Fields({ container, onChange }: Props & { readonly container: ContainerDraft }) {
  const t = useText();
  const images = useQuery({ ...modelQueries.images(), retry: false });
  const [isMaking, setMaking] = useState(false);
  const change = (part: Partial<ContainerDraft>): void => onChange({ ...container, ...part });
  return (
    <>
      <Hint>{t('modelFiles.inContainerText')}</Hint>
      <Autocomplete
        size="xs"
        label={t('modelDeploy.baseImage')}
        data={imageChoices(images.data ?? [])}
        value={container.baseImage}
        onChange={(baseImage) => change({ baseImage })}
        error={images.isError ? messageOf(images.error) : undefined}
      />
      <Group>
        <SmallButton onClick={() => setMaking(true)}>{t('modelEngine.makeBase')}</SmallButton>
      </Group>
      <SimpleGrid cols={2} spacing="sm">
        <NumberInput
          size="xs"
          label={t('modelDeploy.gpus')}
          min={0}
          max={64}
          allowDecimal={false}
          value={container.gpus}
          onChange={(value) => change({ gpus: numberOr(value) })}
        />
        <NumberInput
          size="xs"
          label={t('modelFiles.gpuMemory')}
          min={1}
          allowDecimal={false}
          value={container.gpuMemoryMiB}
          onChange={(value) => change({ gpuMemoryMiB: numberOr(value) })}
        />
      </SimpleGrid>
      {isMaking && <BaseImageDialog onClose={() => setMaking(false)} onMade={(baseImage) => change({ baseImage })} />}
    </>
  );
}
