import { IconHistory, IconPhotoPlus, IconUpload, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useText } from '../../../i18n/index.ts';
import { FileButtons } from '../../../shared/files/file-buttons.tsx';
import { Group, Text, useLocalStorage } from '../../../ui/kit.ts';
import { Page } from '../../../ui/page.tsx';
import { useOpenMedia } from '../task-creation/open-media.ts';
import { RestoreButton } from '../work-backup/restore.tsx';
import { SampleCard } from './sample-card.tsx';
import classes from './welcome-page.module.css';

/** Replaces the list of tasks while the user has neither tasks nor projects. Files can be dropped anywhere. */
export function WelcomePage() {
  const t = useText();
  const { files: open } = useOpenMedia();
  const [wasOpened, setOpened] = useLocalStorage({
    key: 'limner.sample-opened',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return (
    <Page title={t('firstStart.title')}>
      <div className={classes.choices} data-single={wasOpened || undefined}>
        <section className={classes.drop} aria-label={t('firstStart.drop')}>
          <IconPhotoPlus size={32} stroke={1.5} />
          <Text fz={16} fw={600} mt={8}>
            {t('firstStart.drop')}
          </Text>
          <Text c="dimmed" fz="sm">
            {t('firstStart.local')}
          </Text>
          <Group gap={8} mt={12} justify="center">
            <FileButtons isMain onFiles={(found) => void open(found)} />
          </Group>
        </section>
        {!wasOpened && <SampleCard onOpened={() => setOpened(true)} />}
        <nav className={classes.links} aria-label={t('firstStart.others')}>
          <Link className={classes.link} to="/projects" search={{ create: true }}>
            <IconUpload size={16} />
            {t('firstStart.import')}
          </Link>
          <RestoreButton
            px={0}
            variant="transparent"
            className={classes.link ?? ''}
            leftSection={<IconHistory size={16} />}
          />
          <Link className={classes.link} to="/join">
            <IconUsers size={16} />
            {t('firstStart.join')}
          </Link>
        </nav>
      </div>
    </Page>
  );
}
