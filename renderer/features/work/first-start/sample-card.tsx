import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { messageOf } from '../../../api/api-error.ts';
import { waitForRequest } from '../../../api/requests.ts';
import { uploadWorkBackup } from '../../../api/uploads.ts';
import { text, useText } from '../../../i18n/index.ts';
import { formatBytes } from '../../../shared/format-text.ts';
import { useChange } from '../../../shared/use-change.ts';
import { QuietButton, Text } from '../../../ui/kit.ts';
import classes from './welcome-page.module.css';

/** Content of the sample project (test/support/sample-project/make.ts). */
const sample = { images: 12, frames: 60, sizeBytes: 1_400_000 };
const scenes = ['park', 'street', 'receipt', 'fruit'] as const;

/** Restores the backup that ships with the program and returns the project's ID. */
async function openSample(name: string): Promise<number> {
  const answer = await fetch('/sample/project.zip');
  if (!answer.ok) throw new Error(text('firstStart.missing', { status: answer.status }));
  const file = new File([await answer.blob()], 'sample-project.zip', { type: 'application/zip' });
  const { result_id: id } = await waitForRequest(await uploadWorkBackup('project', file, {}));
  if (id === null) throw new Error(text('firstStart.missing', { status: answer.status }));
  // The backup has an English name.
  await call('updateProject', { params: { id }, body: { name } });
  return id;
}

export function SampleCard({ onOpened }: { readonly onOpened: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const open = useChange(() => openSample(t('firstStart.sample')), {
    reloads: ['tasks', 'projects', 'jobs', 'requests'],
    done: async (id) => {
      onOpened();
      await navigate({ to: '/projects/$projectId', params: { projectId: String(id) } });
    },
  });
  return (
    <section className={classes.sample} aria-label={t('firstStart.sample')}>
      <div className={classes.scenes}>
        {scenes.map((scene) => (
          <div key={scene} className={classes.scene}>
            <img src={`/sample/${scene}.webp`} alt="" />
            {scene === 'street' && (
              <span className={classes.count}>
                <IconPlayerPlayFilled size={12} />
                {sample.frames}
              </span>
            )}
          </div>
        ))}
      </div>
      <div className={classes.foot}>
        <div className={classes.words}>
          <Text fz="sm" fw={600}>
            {t('firstStart.sample')}
          </Text>
          {open.error === null ? (
            <Text c="dimmed" fz="sm">
              {t('firstStart.content', {
                images: sample.images,
                frames: sample.frames,
                size: formatBytes(sample.sizeBytes),
              })}
            </Text>
          ) : (
            <Text fz="sm" c="var(--limner-failure)" role="alert">
              {t('firstStart.failed', { reason: messageOf(open.error) })}
            </Text>
          )}
        </div>
        <QuietButton flex="none" aria-disabled={open.isPending} onClick={() => !open.isPending && open.mutate()}>
          {t(open.isPending ? 'firstStart.opening' : 'firstStart.open')}
        </QuietButton>
      </div>
    </section>
  );
}
