import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { uploadImageArchive } from '../../../api/model-calls.ts';
import { wasCancelled } from '../../../api/transport.ts';
import { useText } from '../../../i18n/index.ts';
import { SendingBar } from '../../../parts/files/sending-bar.tsx';
import { Button, FileButton, Group, SmallButton, Stack, Text } from '../../../ui/kit.ts';
import { Problem } from '../../../ui/page.tsx';
import { ImageField } from './image-fields.tsx';
import { PathField } from '../path-field.tsx';
import type { DraftProps } from './deploy-draft.ts';

/** An archive of images: its path on this computer, or the file itself, which is sent and imported at once. */
export function ArchiveField(props: DraftProps) {
  const { draft, onChange, errors } = props;
  const t = useText();
  if (draft.imported.length > 0) {
    return (
      <Stack gap="sm">
        <Group gap="sm">
          <Text fz="sm">{t('modelDeploy.archiveImported', { images: draft.imported.join(', ') })}</Text>
          <Button size="compact-xs" variant="default" onClick={() => onChange({ imported: [], image: '' })}>
            {t('modelDeploy.archiveOther')}
          </Button>
        </Group>
        <ImageField {...props} />
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <PathField
        label={t('modelDeploy.archive')}
        description={t('modelDeploy.archiveHint')}
        placeholder="/home/me/my-detector.tar.gz"
        kind="file"
        value={draft.archive}
        onChange={(archive) => onChange({ archive })}
        error={errors['archive'] ?? errors['path']}
      />
      <ArchiveUpload onImported={(imported) => onChange({ imported, image: imported[0] ?? '', archive: '' })} />
    </Stack>
  );
}

interface Sending {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

function ArchiveUpload({ onImported }: { readonly onImported: (images: string[]) => void }) {
  const t = useText();
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending | null>(null);
  const [failure, setFailure] = useState('');
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const take = async (file: File | null): Promise<void> => {
    if (file === null) return;
    controller.current = new AbortController();
    setFailure('');
    setSending({ sentBytes: 0, totalBytes: file.size });
    try {
      const { signal } = controller.current;
      const onSent = (sentBytes: number): void => setSending({ sentBytes, totalBytes: file.size });
      onImported(await uploadImageArchive(file, { signal, onSent }));
      void client.invalidateQueries({ queryKey: ['models', 'images'] });
    } catch (error) {
      if (!wasCancelled(error)) setFailure(messageOf(error));
    } finally {
      setSending(null);
    }
  };
  if (sending !== null) {
    return (
      <SendingBar
        {...sending}
        sending={(words) => t('modelDeploy.archiveSending', words)}
        reading={t('modelDeploy.archiveImporting')}
        onCancel={() => controller.current?.abort()}
      />
    );
  }
  return (
    <Stack gap="sm" align="flex-start">
      <FileButton accept=".tar,.gz,.tgz,.xz,.txz" onChange={(file) => void take(file)}>
        {(button) => (
          <SmallButton {...button} leftSection={<IconUpload size={14} />}>
            {t('modelDeploy.archiveUpload')}
          </SmallButton>
        )}
      </FileButton>
      {failure !== '' && <Problem title={t('modelDeploy.archiveFailed')} message={failure} />}
    </Stack>
  );
}
