import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkbenchSettings } from '../../../preload/contract/schema/settings.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { settingsQuery } from '../../api/settings-queries.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { PathField } from '../../shared/files/file-buttons.tsx';
import { Alert, Button, Group, SmallButton, Stack } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { Facts } from '../../ui/panel.tsx';
import { SectionHead } from '../../ui/section-head.tsx';

export function VideoSection() {
  const t = useText();
  const query = useQuery({ ...settingsQuery(), refetchOnMount: 'always' });
  return (
    <section>
      <SectionHead title={t('videoSettings.title')}>{t('videoSettings.text')}</SectionHead>
      <Loaded query={query}>{(settings) => <Tools key={settings.ffmpeg_path} settings={settings} />}</Loaded>
    </section>
  );
}

function Tools({ settings }: { readonly settings: WorkbenchSettings }) {
  const t = useText();
  const { ffmpeg_path: known, video_tools: tools, notice } = settings;
  const [path, setPath] = useState(known ?? '');
  const change = useChange(
    (wanted: string) => call('changeSettings', { body: { ffmpeg_path: wanted === '' ? null : wanted } }),
    { keeps: settingsQuery().queryKey, done: () => notify.success(t('videoSettings.saved')) },
  );
  const { of, rest } = fieldErrors(change.error, ['ffmpeg_path']);
  return (
    <Stack gap={16} maw={640}>
      {notice !== null && <Alert color="yellow">{notice}</Alert>}
      {tools === null ? (
        <Alert color="yellow">{t('videoSettings.none')}</Alert>
      ) : (
        <Facts
          width={140}
          facts={[
            ['ffmpeg', tools.ffmpeg],
            ['ffprobe', tools.ffprobe],
          ]}
        />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(path.trim());
        }}
      >
        <Stack gap={12}>
          <PathField
            kind="folder"
            browse={t('backup.browse')}
            label={t('videoSettings.place')}
            description={t('videoSettings.placeHint')}
            value={path}
            onChange={setPath}
            error={of.ffmpeg_path}
          />
          {rest !== '' && <Alert color="red">{rest}</Alert>}
          <Group gap={8}>
            <Button type="submit" size="xs" loading={change.isPending} disabled={path.trim() === (known ?? '')}>
              {t('videoSettings.save')}
            </Button>
            {known !== null && (
              <SmallButton onClick={() => change.mutate('')}>{t('videoSettings.fromPath')}</SmallButton>
            )}
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
