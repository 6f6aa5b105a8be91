import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useText } from '../../i18n/index.ts';
import { Group, Hint, PartName, SegmentedControl, Stack, Title, useColorScheme } from '../../ui/kit.ts';

const schemes = [
  { value: 'auto', key: 'app.themeAuto', icon: <IconDeviceDesktop size={16} stroke={1.5} /> },
  { value: 'light', key: 'app.themeLight', icon: <IconSun size={16} stroke={1.5} /> },
  { value: 'dark', key: 'app.themeDark', icon: <IconMoon size={16} stroke={1.5} /> },
] as const;
type Scheme = (typeof schemes)[number]['value'];

export function AppearanceSection() {
  const t = useText();
  const { colorScheme, setColorScheme } = useColorScheme();
  const data = schemes.map(({ value, key, icon }) => ({
    value,
    label: (
      <Group gap={8} wrap="nowrap" justify="center">
        {icon}
        {t(key)}
      </Group>
    ),
  }));
  return (
    <section>
      <Title order={2} mb={12}>
        {t('settings.appearance.title')}
      </Title>
      <Stack gap={8} align="flex-start">
        <PartName>{t('settings.appearance.theme')}</PartName>
        <SegmentedControl
          aria-label={t('settings.appearance.theme')}
          data={data}
          value={colorScheme}
          // The values come from the list above.
          onChange={(value) => setColorScheme(value as Scheme)}
        />
        <Hint>
          {t('settings.appearance.themeHint')} {t('settings.appearance.workspace')}
        </Hint>
      </Stack>
    </section>
  );
}
