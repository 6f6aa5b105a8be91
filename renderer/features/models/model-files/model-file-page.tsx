import { IconAlertTriangle, IconCpu, IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type {
  ModelDescription,
  ModelFileInspection,
  ModelTrial,
} from '../../../../preload/contract/schema/model-files.ts';
import { isConfiguration } from '../../../../preload/contract/model-configurations.ts';
import { call } from '../../../api/client.ts';
import { uploadModelFile } from '../../../api/model-calls.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { DropZone } from '../../../shared/files/drop-zone.tsx';
import { SendingBar, useSending } from '../../../shared/files/sending-bar.tsx';
import { formatBytes } from '../../../shared/format-text.ts';
import { useUnsaved } from '../../../shared/use-form.ts';
import { Alert, Button, FileButton, Group, Hint, SmallButton, Stack, Text, TextInput } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { Page, Problem } from '../../../ui/page.tsx';
import { Facts, Panel } from '../../../ui/panel.tsx';
import { ChatField } from './chat-field.tsx';
import { containerBody, type ContainerDraft, ContainerFields } from './container-fields.tsx';
import { DescriptionFields } from './description-fields.tsx';
import { useEvidenceText } from './evidence-text.ts';
import { isModelFile, takeHandedFiles } from './drop-model-file.tsx';
import { ModelQuestion } from './model-question.tsx';
import classes from './model-file-page.module.css';
import { ModelFileTrial } from './model-file-trial.tsx';

interface Looked {
  readonly model: ModelFileInspection | null;
  readonly decoder: ModelFileInspection | null;
}

/** Second file of a model: the decoder of an encoder, or the recognition of a text detector. */
const isSecond = ({ needs }: ModelFileInspection): boolean => needs === 'encoder' || needs === 'detector';

const readsRegions = ({ readings }: ModelFileInspection): boolean =>
  readings.some(({ result }) => result === 'text-regions');

const isPair = (model: ModelFileInspection, second: ModelFileInspection | null): boolean =>
  second !== null && (second.needs === 'detector' ? readsRegions(model) : model.needs === 'decoder');

const nothing: Looked = { model: null, decoder: null };

/** The uploaded model that needs this file; undefined if none does. */
function ownerOf({ name }: File, { model, decoder }: Looked): string | undefined {
  const owner = [model, decoder].find((one) => one?.missing_files.includes(name) === true);
  if (owner) return owner.id;
  const lacksLetters = decoder?.readings[0]?.questions.some(({ about }) => about.includes('labels')) === true;
  return isConfiguration(name) ? (lacksLetters ? decoder : (model ?? decoder))?.id : undefined;
}

export function ModelFilePage() {
  const t = useText();
  const [looked, setLooked] = useState(nothing);
  const [description, setDescription] = useState<ModelDescription | null>(null);
  const latest = useRef(nothing);
  const keep = (found: ModelFileInspection): void => {
    const { model, decoder } = latest.current;
    if (found.id === decoder?.id || isSecond(found)) latest.current = { model, decoder: found };
    else {
      const isSame = found.id === model?.id;
      latest.current = { model: found, decoder: isSame || isPair(found, decoder) ? decoder : null };
      setDescription(found.description);
    }
    setLooked(latest.current);
  };
  const {
    sending,
    failure,
    take: send,
    cancel,
  } = useSending(async (file, tools) => {
    const owner = isModelFile(file) ? null : ownerOf(file, latest.current);
    if (owner === undefined) throw new Error(t('modelFiles.onlyOnnx', { name: file.name }));
    keep(await uploadModelFile(file, owner, tools));
  });
  const take = async (files: readonly File[]): Promise<void> => {
    // Models first, because other files are sent to the model that they belong to.
    const models = files.filter(isModelFile);
    const others = files.filter((file) => !isModelFile(file));
    await send([...models, ...others]);
  };
  const first = useRef(take);
  useEffect(() => {
    const files = takeHandedFiles();
    if (files.length > 0) void first.current(files);
  }, []);

  const { model, decoder } = looked;
  const isEmpty = model === null && decoder === null;
  useUnsaved(!isEmpty, t('pages.unsavedForm'));
  return (
    <Page title={t('modelFiles.title')} crumbs={<Link to="/models">{t('models.title')}</Link>}>
      <Stack gap="md">
        {sending === null ? (
          <FileZone isCompact={!isEmpty} onFiles={(files) => void take(files)} />
        ) : (
          <SendingBar
            {...sending}
            sending={(words) => t('modelFiles.sending', words)}
            reading={t('modelFiles.reading')}
            onCancel={cancel}
          />
        )}
        {isEmpty && <ServerField onFound={keep} />}
        {isEmpty && <ChatField />}
        {failure !== '' && <Problem title={t('modelFiles.failed')} message={failure} />}
        {isEmpty && <Ways />}
        {model === null && decoder !== null && (
          <Notice text={t(decoder.needs === 'detector' ? 'modelFiles.detectorMissing' : 'modelFiles.encoderMissing')} />
        )}
        {model !== null && (
          <FoundModel
            key={`${model.id} ${model.readings.length} ${model.missing_files.length}`}
            model={model}
            decoder={decoder}
            description={description}
            isReading={sending !== null}
            onChange={setDescription}
          />
        )}
      </Stack>
    </Page>
  );
}

function FileZone({ isCompact, onFiles }: { readonly isCompact: boolean; readonly onFiles: (files: File[]) => void }) {
  const t = useText();
  return (
    <DropZone label={t('modelFiles.drop')} compact={isCompact} onFiles={(all) => onFiles(all.map(({ file }) => file))}>
      {!isCompact && (
        <>
          <IconCpu size={32} stroke={1.25} />
          <div>
            <Text fw={600}>{t('modelFiles.drop')}</Text>
            <Hint>{t('modelFiles.dropText')}</Hint>
          </div>
        </>
      )}
      <FileButton multiple onChange={onFiles}>
        {(button) => <SmallButton {...button}>{t(isCompact ? 'modelFiles.another' : 'modelFiles.choose')}</SmallButton>}
      </FileButton>
    </DropZone>
  );
}

/** A model that a server of the Open Inference Protocol runs. */
function ServerField({ onFound }: { readonly onFound: (found: ModelFileInspection) => void }) {
  const t = useText();
  const [url, setUrl] = useState('');
  const look = useChange(() => call('inspectModelServer', { body: { url: url.trim() } }), { done: onFound });
  return (
    <Panel title={t('modelFiles.server')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          look.mutate();
        }}
      >
        <Stack gap="sm">
          <Group gap="sm" align="flex-end">
            <TextInput
              flex={1}
              label={t('modelFiles.serverAddress')}
              placeholder="http://127.0.0.1:8000/v2/models/NAME"
              spellCheck={false}
              value={url}
              onChange={setUrl}
            />
            <Button type="submit" variant="default" loading={look.isPending} disabled={url.trim() === ''}>
              {t('modelFiles.serverRead')}
            </Button>
          </Group>
          {look.isError && <Problem title={t('modelFiles.failed')} message={look.error} />}
        </Stack>
      </form>
    </Panel>
  );
}

const ways = ['wayModelFile', 'wayHandler', 'wayEnvironment', 'wayElsewhere', 'wayNative'] as const;

function Ways() {
  const t = useText();
  return (
    <Panel title={t('modelFiles.ways')}>
      <Facts width={220} facts={ways.map((way) => [t(`modelFiles.${way}`), t(`modelFiles.${way}Text`)] as const)} />
    </Panel>
  );
}

const Notice = ({ text }: { readonly text: string }) => (
  <Alert variant="default" role="status">
    <Text fz="sm">{text}</Text>
  </Alert>
);

interface FoundModelProps {
  readonly model: ModelFileInspection;
  readonly decoder: ModelFileInspection | null;
  readonly description: ModelDescription | null;
  /** True while another file is sent, which may belong to this model. */
  readonly isReading: boolean;
  readonly onChange: (description: ModelDescription) => void;
}

function FoundModel({ model, decoder, description, isReading, onChange }: FoundModelProps) {
  const t = useText();
  const say = useEvidenceText();
  const navigate = useNavigate();
  const [name, setName] = useState(model.name);
  const [container, setContainer] = useState<ContainerDraft | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const isQuestion = model.problem === null && model.readings.length > 1;
  const reading = isQuestion ? model.readings.find(({ id }) => id === chosen) : model.readings[0];
  const questions = reading?.questions.map(({ text }) => text) ?? [];
  const lacksImage = container !== null && container.baseImage.trim() === '';
  const letters = decoder?.readings[0]?.questions.find(({ about }) => about.includes('labels'))?.text;
  const decoderText = say(letters ?? t('modelFiles.recognitionFound', { name: decoder?.file_name ?? '' }));
  const needsDecoder = model.needs === 'decoder' && decoder === null;
  const add = useChange(
    (ready: ModelDescription) =>
      call('addModelFile', {
        body: {
          id: model.id,
          decoder: decoder?.id ?? null,
          name: name.trim(),
          description: ready,
          container: containerBody(container),
        },
      }),
    {
      reloads: [['models', 'list']],
      done: async (added) => {
        notify.success(t('modelFiles.added', { name: added.name }));
        await navigate({ to: '/models/$name', params: { name: added.name }, ignoreBlocker: true });
      },
    },
  );
  return (
    <Stack gap="md">
      {model.trial !== null && (model.trial.text !== '' || model.trial.doubts.length > 0) && (
        <Tried trial={model.trial} />
      )}
      {isQuestion && (
        <ModelQuestion
          model={model}
          chosen={chosen}
          onChoose={(one) => {
            setChosen(one.id);
            if (one.description !== null) onChange(one.description);
          }}
        />
      )}
      <div className={classes.found}>
        <Stack gap="md">
          {description === null ? (
            isQuestion ? null : (
              <Problem
                title={t(model.missing_files.length > 0 ? 'modelFiles.filesMissing' : 'modelFiles.notRecognised')}
                message={say(model.problem ?? '')}
              />
            )
          ) : needsDecoder ? (
            <Notice text={t('modelFiles.decoderMissing')} />
          ) : (
            <ModelFileTrial
              key={chosen}
              id={model.id}
              decoder={decoder?.id ?? null}
              name={name}
              description={description}
            />
          )}
          {readsRegions(model) && decoder === null && <Notice text={t('modelFiles.recognitionMissing')} />}
          {readsRegions(model) && decoder !== null && <Notice text={decoderText} />}
          <FileFacts model={model} reasons={reading?.reasons ?? model.reasons} />
        </Stack>
        {description !== null && (
          <Panel title={t('modelFiles.function')}>
            <Stack gap="md">
              <TextInput size="xs" label={t('modelFiles.name')} spellCheck={false} value={name} onChange={setName} />
              {questions.length > 0 && (
                <Alert variant="default" title={t('modelFiles.questions')}>
                  <Sentences all={questions} />
                </Alert>
              )}
              <DescriptionFields key={chosen} description={description} onChange={onChange} />
              <ContainerFields container={container} onChange={setContainer} />
              {add.isError && <Problem title={t('modelFiles.addFailed')} message={add.error} />}
              <Button
                leftSection={<IconPlus size={16} />}
                loading={add.isPending}
                disabled={isReading || needsDecoder || lacksImage || name.trim() === ''}
                onClick={() => add.mutate(description)}
              >
                {t('modelFiles.add')}
              </Button>
            </Stack>
          </Panel>
        )}
      </div>
    </Stack>
  );
}

/** Result of the first run, on the sample image. */
function Tried({ trial }: { readonly trial: ModelTrial }) {
  const t = useText();
  const say = useEvidenceText();
  const { text, doubts } = trial;
  return (
    <Stack gap={4} role="status">
      <Text fz="sm">{text === '' ? t('modelFiles.triedNothing') : t('modelFiles.tried', { text: say(text) })}</Text>
      {doubts.map((doubt) => (
        <Group key={doubt} gap={8} wrap="nowrap">
          <IconAlertTriangle size={16} className={classes.doubt ?? ''} />
          <Text fz="sm">{say(doubt)}</Text>
        </Group>
      ))}
    </Stack>
  );
}

function Sentences({ all }: { readonly all: readonly string[] }) {
  const say = useEvidenceText();
  return (
    <ul className={classes.sentences}>
      {all.map((one) => (
        <li key={one}>{say(one)}</li>
      ))}
    </ul>
  );
}

const valuesText = (values: ModelFileInspection['inputs']): string =>
  values
    .map(({ name, type, dimensions }) => `${name} ${type} [${(dimensions ?? []).map((one) => one ?? '?').join(', ')}]`)
    .join('; ');

interface FileFactsProps {
  readonly model: ModelFileInspection;
  readonly reasons: readonly string[];
}

function FileFacts({ model, reasons }: FileFactsProps) {
  const t = useText();
  return (
    <Panel title={t('modelFiles.reasons')}>
      <Sentences all={reasons} />
      <Facts
        width={90}
        facts={[
          [t('modelFiles.file'), `${model.file_name} · ${formatBytes(model.size_bytes)}`],
          [t('modelFiles.licence'), model.licence],
          [t('modelFiles.inputs'), valuesText(model.inputs)],
          [t('modelFiles.outputs'), valuesText(model.outputs)],
        ]}
      />
    </Panel>
  );
}
