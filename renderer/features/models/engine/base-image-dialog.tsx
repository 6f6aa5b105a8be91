import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { EnvironmentInspection } from '../../../../preload/contract/schema/functions.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { PathField } from '../../../shared/files/file-buttons.tsx';
import { formatBytes } from '../../../shared/format-text.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Dimmed, Group, SegmentedControl, SmallButton } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { Problem } from '../../../ui/page.tsx';
import { Facts } from '../../../ui/panel.tsx';

export function BaseImageDialog({
  onClose,
  onMade,
}: {
  readonly onClose: () => void;
  readonly onMade?: (image: string) => void;
}) {
  const t = useText();
  const [language, setLanguage] = useState<'python' | 'node'>('python');
  const [environment, setEnvironment] = useState('');
  const path = language === 'python' ? environment.trim() : '';
  const look = useMutation({ mutationFn: () => call('inspectEnvironment', { body: { path } }) });
  const make = useChange(
    () => call('buildBaseImage', { body: { language, ...(path === '' ? {} : { environment: path }) } }),
    {
      reloads: [['models', 'images']],
      done: ({ image }) => {
        notify.success(t('modelEngine.madeBase', { image }));
        onMade?.(image);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={t('modelEngine.makeBase')}
      submit={t('modelEngine.makeBase')}
      change={make}
      onClose={onClose}
      error=""
    >
      <Dimmed>{t('modelEngine.makeBaseText')}</Dimmed>
      <SegmentedControl
        aria-label={t('modelEngine.makeBase')}
        value={language}
        onChange={(value) => setLanguage(value === 'node' ? 'node' : 'python')}
        data={[
          { value: 'python', label: t('modelEngine.makePython') },
          { value: 'node', label: t('modelEngine.makeNode') },
        ]}
      />
      {language === 'python' && (
        <>
          <PathField
            label={t('modelEngine.environment')}
            description={t('modelEngine.environmentHint')}
            placeholder="/home/me/detector/.venv"
            kind="folder"
            browse={t('modelDeploy.browse')}
            value={environment}
            onChange={(value) => {
              look.reset();
              setEnvironment(value);
            }}
            error={look.isError ? messageOf(look.error) : undefined}
          />
          <Group>
            <SmallButton disabled={path === ''} loading={look.isPending} onClick={() => look.mutate()}>
              {t('modelEngine.environmentLook')}
            </SmallButton>
          </Group>
          {look.data !== undefined && <EnvironmentFacts found={look.data} />}
        </>
      )}
      {make.isError && <Problem title={t('modelEngine.makeBaseFailed')} message={make.error} />}
    </FormDialog>
  );
}

function EnvironmentFacts({ found }: { readonly found: EnvironmentInspection }) {
  const t = useText();
  const size = (bytes: number) => (bytes === 0 ? null : formatBytes(bytes));
  return (
    <Facts
      width={150}
      testId="environment"
      facts={[
        [t('modelEngine.environmentPython'), found.version],
        [
          t('modelEngine.environmentPackages'),
          found.packages.map(({ name, version }) => `${name} ${version}`).join(', '),
        ],
        [t('modelEngine.environmentInterpreter'), size(found.interpreter_bytes)],
        [t('modelEngine.environmentSize'), size(found.package_bytes)],
        [t('modelEngine.environmentCards'), size(found.gpu_package_bytes)],
        [t('modelEngine.environmentMissing'), found.missing.map(({ library }) => library).join(', ')],
      ]}
    />
  );
}
