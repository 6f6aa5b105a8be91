import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { uploadImageArchive } from '../../../api/model-calls.ts';
import { useText } from '../../../i18n/index.ts';
import { ChooseFile, PathField } from '../../../shared/files/file-buttons.tsx';
import { SendingBar, useSending } from '../../../shared/files/sending-bar.tsx';
import { Button, Group, Stack, Text } from '../../../ui/kit.ts';
import { Problem } from '../../../ui/page.tsx';
import type { DraftProps } from './deploy-draft.ts';
import { ImageField } from './image-fields.tsx';

/** An archive of images: a local path, or a file that is uploaded and imported at once. */
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
        browse={t('modelDeploy.browse')}
        value={draft.archive}
        onChange={(archive) => onChange({ archive })}
        error={errors['archive'] ?? errors['path']}
      />
      <ArchiveUpload onImported={(imported) => onChange({ imported, image: imported[0] ?? '', archive: '' })} />
    </Stack>
  );
}

function ArchiveUpload({ onImported }: { readonly onImported: (images: string[]) => void }) {
  const t = useText();
  const client = useQueryClient();
  const { sending, failure, take, cancel } = useSending(async (file, tools) => {
    onImported(await uploadImageArchive(file, tools));
    void client.invalidateQueries({ queryKey: ['models', 'images'] });
  });
  if (sending !== null) {
    return (
      <SendingBar
        {...sending}
        sending={(words) => t('modelDeploy.archiveSending', words)}
        reading={t('modelDeploy.archiveImporting')}
        onCancel={cancel}
      />
    );
  }
  return (
    <Stack gap="sm" align="flex-start">
      <ChooseFile
        accept=".tar,.gz,.tgz,.xz,.txz"
        leftSection={<IconUpload size={14} />}
        onFile={(file) => void take([file])}
      >
        {t('modelDeploy.archiveUpload')}
      </ChooseFile>
      {failure !== '' && <Problem title={t('modelDeploy.archiveFailed')} message={failure} />}
    </Stack>
  );
}
