import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { version } from '../../../package.json';
import { useState } from 'react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Dimmed, Group, SmallButton, Text, TextInput, Title } from '../../ui/kit.ts';
import { Facts } from '../../ui/panel.tsx';
import { SectionHead } from '../../ui/section-head.tsx';
import classes from './settings-page.module.css';
import { parseNotices } from './third-party-notices.ts';
import { UpdateSection } from './update-section.tsx';

const loadNotices = async () => parseNotices((await import('virtual:third-party-notices')).notices);

function Notices() {
  const t = useText();
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const notices = useQuery({ queryKey: ['notices'], queryFn: loadNotices, enabled: open, staleTime: Infinity });
  const found = notices.data?.filter((notice) => notice.name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <section>
      <SectionHead title={t('settings.about.notices')}>{t('settings.about.noticesText')}</SectionHead>
      {!open && <SmallButton onClick={() => setOpen(true)}>{t('settings.about.showNotices')}</SmallButton>}
      {found !== undefined && (
        <>
          <TextInput
            w={320}
            mb={8}
            leftSection={<IconSearch size={16} />}
            placeholder={t('settings.about.searchNotices')}
            aria-label={t('settings.about.searchNotices')}
            value={search}
            onChange={setSearch}
          />
          {found.length === 0 && <Text c="dimmed">{t('settings.about.noticesNone')}</Text>}
          {found.length > 0 && (
            <div className={classes.notices}>
              {found.map((notice) => (
                <details key={notice.name} className={classes.notice}>
                  <summary>
                    <span>{notice.name}</span>
                    <span className={classes.kind}>{notice.license}</span>
                  </summary>
                  <pre>{notice.text}</pre>
                </details>
              ))}
            </div>
          )}
        </>
      )}
    </section>
  );
}

export function AboutSection() {
  const t = useText();
  const about = useQuery(queries.about());
  const formats = useQuery(queries.formats());
  const isAdmin = useQuery(queries.self()).data?.is_superuser === true;
  return (
    <>
      <section>
        <Group gap={12} mb={16} wrap="nowrap">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <div>
            <Title order={2}>{about.data?.name ?? t('app.name')}</Title>
            <Dimmed>{about.data?.description}</Dimmed>
          </div>
        </Group>
        <Facts
          facts={[
            [t('settings.about.version'), version],
            [t('settings.about.license'), t('settings.about.licenseValue')],
            [t('settings.about.address'), window.location.origin],
            [t('settings.about.api'), t('settings.about.apiValue')],
            [
              t('settings.about.formats'),
              formats.data === undefined
                ? undefined
                : t('settings.about.formatsValue', {
                    importers: formats.data.importers.length,
                    exporters: formats.data.exporters.length,
                  }),
            ],
          ]}
        />
      </section>
      {isAdmin && <UpdateSection />}
      <Notices />
    </>
  );
}
