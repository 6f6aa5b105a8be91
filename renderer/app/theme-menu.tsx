import {
  IconAdjustments,
  IconBuilding,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { useText } from '../i18n/index.ts';
import classes from './app-frame.module.css';
import { ActionIcon, Menu, useColorScheme } from '../ui/kit.ts';

export const schemes = [
  { value: 'auto', key: 'app.themeAuto', icon: <IconDeviceDesktop size={16} /> },
  { value: 'light', key: 'app.themeLight', icon: <IconSun size={16} /> },
  { value: 'dark', key: 'app.themeDark', icon: <IconMoon size={16} /> },
] as const;

export function ThemeMenu({ isLit }: { readonly isLit: boolean }) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { colorScheme, setColorScheme } = useColorScheme();
  const signOut = async (): Promise<void> => {
    await call('logout', {}).catch(() => undefined);
    client.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="right-end" width={200}>
      <Menu.Target>
        <ActionIcon
          className={classes.tool ?? ''}
          data-active={isLit || undefined}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('app.settings')}
        >
          <IconSettings size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconAdjustments size={16} />}
          onClick={() => void navigate({ to: '/settings/$section', params: { section: 'appearance' } })}
        >
          {t('app.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<IconBuilding size={16} />} onClick={() => void navigate({ to: '/organizations' })}>
          {t('app.organizations')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('app.theme')}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme.value}
            leftSection={scheme.icon}
            rightSection={colorScheme === scheme.value ? <IconCheck size={14} /> : null}
            onClick={() => setColorScheme(scheme.value)}
          >
            {t(scheme.key)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t('app.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
