import { formatFixed } from '../../../i18n/language.ts';
import { IconPhotoScan, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { ModelFunction } from '../../../../preload/contract/schema/functions.ts';
import { messageOf } from '../../../api/api-error.ts';
import { tryModel, type TrialAnswer } from '../../../api/model-calls.ts';
import { wasCancelled } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { DropZone } from '../../../shared/files/drop-zone.tsx';
import { ChooseFile } from '../../../shared/files/file-buttons.tsx';
import {
  Alert,
  Button,
  Group,
  Hint,
  Loader,
  NumberInput,
  SegmentedControl,
  SmallButton,
  Stack,
  Text,
} from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { Empty } from '../../../ui/page.tsx';
import { ImageView } from './image-view.tsx';
import { MessageText } from '../function/message-text.tsx';
import classes from './try.module.css';
import {
  missingPrompt,
  noPrompts,
  promptModes,
  trialFields,
  withPrompt,
  type PromptMode,
  type Prompts,
} from './trial-fields.ts';
import { PhrasesField } from '../../../shared/models/phrases-field.tsx';
import { TryResult, useShown } from './try-result.tsx';
import { useImage, type Picture } from '../../../shared/files/use-image.ts';

interface TryTabProps {
  readonly model: ModelFunction;
  readonly onLog: () => void;
}

/** Sends a local image to the function and draws the answer over it. */
export function TryTab({ model, onLog }: TryTabProps) {
  const t = useText();
  const { picture, take } = useImage((name) => notify.failure(t('modelPage.tabTry'), t('modelTry.noImage', { name })));
  const { state, provider, kind } = model;
  if (kind === 'reid') return <Text fz="sm">{t('modelTry.reid')}</Text>;
  if (provider === 'docker' && (state === 'stopped' || state === 'error')) {
    return (
      <Empty
        icon={<IconPhotoScan size={40} stroke={1.25} />}
        title={t('modelPage.tabTry')}
        text={t('modelTry.notRunning')}
      />
    );
  }
  if (picture === null) {
    return (
      <DropZone label={t('modelTry.drop')} onFiles={([first]) => first && void take(first.file)}>
        <IconPhotoScan size={32} stroke={1.25} />
        <div>
          <Text fw={600}>{t('modelTry.drop')}</Text>
          <Hint>{t('modelTry.dropText')}</Hint>
        </div>
        <ChooseFile accept="image/*" mt={8} onFile={(file) => void take(file)}>
          {t('modelTry.choose')}
        </ChooseFile>
      </DropZone>
    );
  }
  return (
    <DropZone label={t('modelTry.drop')} compact onFiles={([first]) => first && void take(first.file)}>
      <Trial key={picture.url} model={model} picture={picture} onAnother={(file) => void take(file)} onLog={onLog} />
    </DropZone>
  );
}

function useTrial(name: string) {
  const t = useText();
  const controller = useRef<AbortController | null>(null);
  const [startedMs, setStarted] = useState<number | null>(null);
  const [answer, setAnswer] = useState<TrialAnswer | null>(null);
  const [failure, setFailure] = useState('');
  useEffect(() => () => controller.current?.abort(), []);
  return {
    startedMs,
    answer,
    failure,
    cancel: () => controller.current?.abort(),
    async run(file: File, fields: Record<string, unknown>): Promise<void> {
      const { signal } = (controller.current = new AbortController());
      setStarted(Date.now());
      setFailure('');
      try {
        setAnswer(await tryModel(name, file, fields, signal));
      } catch (error) {
        setAnswer(null);
        setFailure(wasCancelled(error) ? t('modelTry.cancelled') : messageOf(error));
      } finally {
        setStarted(null);
      }
    },
  };
}

interface TrialProps {
  readonly model: ModelFunction;
  readonly picture: Picture;
  readonly onAnother: (file: File) => void;
  readonly onLog: () => void;
}

function Trial({ model, picture, onAnother, onLog }: TrialProps) {
  const t = useText();
  const { kind, name } = model;
  const trial = useTrial(name);
  const [threshold, setThreshold] = useState<number | ''>('');
  const [prompts, setPrompts] = useState(noPrompts);
  const [phrases, setPhrases] = useState<readonly string[]>([]);
  const modes = promptModes(kind);
  const [mode, setMode] = useState<PromptMode>(modes[0] ?? 'positive');
  const found = useShown(trial.answer?.text ?? null);
  const takesPhrases = model.takes_phrases === true;
  const missing = missingPrompt(kind, prompts);
  const isReady = missing === null && (!takesPhrases || phrases.length > 0);
  const isRunning = trial.startedMs !== null;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const fields = trialFields(kind, prompts, threshold);
    if (!isRunning && isReady)
      void trial.run(picture.file, takesPhrases ? { ...fields, text_prompts: phrases } : fields);
  };
  return (
    <div className={classes.trial}>
      <ImageView
        url={picture.url}
        label={t('modelTry.imageWithResults', { name })}
        size={picture.size}
        detections={found.shown}
        highlighted={found.highlighted}
        prompts={prompts}
        onPoint={modes.length === 0 ? null : (at) => setPrompts((before) => withPrompt(before, mode, at))}
      />
      <form className={classes.trialSide} onSubmit={submit}>
        <Stack gap="md">
          {modes.length > 0 && (
            <PromptFields
              modes={modes}
              mode={mode}
              onMode={setMode}
              prompts={prompts}
              onClear={() => setPrompts(noPrompts)}
            />
          )}
          {takesPhrases && <PhrasesField phrases={phrases} onChange={setPhrases} />}
          {kind !== 'tracker' && (
            <NumberInput
              label={t('modelTry.threshold')}
              description={t('modelTry.thresholdHint')}
              min={0}
              max={1}
              step={0.05}
              value={threshold}
              onChange={(value) => setThreshold(typeof value === 'number' ? value : '')}
            />
          )}
          {missing !== null && <Hint role="status">{t(`modelTry.${missing}`, { count: 1 })}</Hint>}
          <Group gap="sm">
            {trial.startedMs === null ? (
              <Button
                type="submit"
                autoFocus={modes.length === 0}
                disabled={!isReady}
                leftSection={<IconPlayerPlay size={16} stroke={1.5} />}
              >
                {t('modelTry.run')}
              </Button>
            ) : (
              <Waiting startedMs={trial.startedMs} onCancel={trial.cancel} />
            )}
            <ChooseFile size="sm" accept="image/*" onFile={onAnother}>
              {t('modelTry.another')}
            </ChooseFile>
          </Group>
          {trial.failure !== '' && (
            <Alert variant="default" color="red" role="alert" title={t('modelTry.failed')}>
              <Stack gap="sm" align="flex-start">
                <MessageText message={trial.failure} />
                {model.provider === 'docker' && <SmallButton onClick={onLog}>{t('models.showLog')}</SmallButton>}
              </Stack>
            </Alert>
          )}
          {trial.answer !== null && <TryResult answer={trial.answer} found={found} />}
        </Stack>
      </form>
    </div>
  );
}

function Waiting({ startedMs, onCancel }: { readonly startedMs: number; readonly onCancel: () => void }) {
  const t = useText();
  const [nowMs, setNow] = useState(startedMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <Group gap={8}>
      <Loader size={16} />
      <Text fz="sm" role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {t('modelTry.running', { seconds: formatFixed((nowMs - startedMs) / 1_000, 1) })}
      </Text>
      <SmallButton onClick={onCancel}>{t('modelTry.cancel')}</SmallButton>
    </Group>
  );
}

interface PromptFieldsProps {
  readonly modes: readonly PromptMode[];
  readonly mode: PromptMode;
  readonly onMode: (mode: PromptMode) => void;
  readonly prompts: Prompts;
  readonly onClear: () => void;
}

function PromptFields({ modes, mode, onMode, prompts, onClear }: PromptFieldsProps) {
  const t = useText();
  const { positive, negative, box } = prompts;
  const count = t('modelTry.promptCount', {
    positive: positive.length,
    negative: negative.length,
    boxes: t(box.length === 2 ? 'modelTry.withBox' : 'modelTry.withoutBox'),
  });
  return (
    <Stack gap={8}>
      {modes.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={t('modelTry.prompts')}
          value={mode}
          onChange={(value) => onMode(modes.find((one) => one === value) ?? mode)}
          data={modes.map((one) => ({ value: one, label: t(`modelTry.${one}`) }))}
        />
      )}
      <Hint>
        {t('modelTry.promptHint')} {mode === 'box' && t('modelTry.promptBoxHint')}
      </Hint>
      <Group gap="sm">
        <Text fz="xs">{count}</Text>
        <Button size="compact-xs" variant="default" onClick={onClear}>
          {t('modelTry.clearPrompts')}
        </Button>
      </Group>
    </Stack>
  );
}
