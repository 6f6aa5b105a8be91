import { IconBuilding, IconCheck, IconSettings, IconUser } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Organization } from '../../preload/contract/schema/people.ts';
import { chooseOrganization, useOrganizationContext } from '../api/organization-context.ts';
import { peopleQueries } from '../api/people-queries.ts';
import { useText } from '../i18n/index.ts';
import { Menu, UnstyledButton } from '../ui/kit.ts';
import { notify } from '../ui/notify.ts';
import classes from './app-frame.module.css';

/** Replacement of an invalid context, given the existing organizations; undefined if it is valid. */
function corrected(slug: string | null, organizations: readonly Organization[]): string | null | undefined {
  if (organizations.length === 0) return slug === null ? undefined : null;
  if (slug === null) return '';
  return slug === '' || organizations.some((one) => one.slug === slug) ? undefined : '';
}

export function usePlace(): string {
  const t = useText();
  const slug = useOrganizationContext((state) => state.slug);
  const organizations = useQuery(peopleQueries.organizations()).data?.results ?? [];
  if (slug === null || slug === '') return t('organizations.personal');
  const name = organizations.find((one) => one.slug === slug)?.name ?? '';
  return name === '' ? slug : name;
}

export function OrganizationSwitch({ isLit }: { readonly isLit: boolean }) {
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const slug = useOrganizationContext((state) => state.slug);
  const organizations = useQuery(peopleQueries.organizations()).data?.results;
  useEffect(() => {
    const next = organizations === undefined ? undefined : corrected(slug, organizations);
    if (next === undefined) return;
    if (slug !== null && slug !== '') notify.info(t('organizations.contextLost', { slug }));
    chooseOrganization(next);
    void client.invalidateQueries();
  }, [organizations, slug, client, t]);
  if (organizations === undefined || organizations.length === 0) return null;
  const choose = (next: string): void => {
    if (next === slug) return;
    chooseOrganization(next);
    void client.resetQueries();
    // A page number or filter of the other context would not match.
    void navigate({ to: '.', search: {}, replace: true });
  };
  const name = slug === null || slug === '' ? t('organizations.personal') : slug;
  const check = <IconCheck size={14} />;
  return (
    <Menu position="right-start" width={240}>
      <Menu.Target>
        <UnstyledButton
          className={classes.context}
          data-active={isLit || undefined}
          aria-label={t('organizations.contextLabel', { name })}
        >
          {slug === null || slug === '' ? <IconUser size={16} stroke={1.5} /> : <IconBuilding size={16} stroke={1.5} />}
          <span className={classes.contextName}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('organizations.context')}</Menu.Label>
        <Menu.Item
          leftSection={<IconUser size={16} />}
          rightSection={slug === '' ? check : null}
          onClick={() => choose('')}
        >
          {t('organizations.personal')}
        </Menu.Item>
        {organizations.map((one) => (
          <Menu.Item
            key={one.id}
            leftSection={<IconBuilding size={16} />}
            rightSection={slug === one.slug ? check : null}
            onClick={() => choose(one.slug)}
          >
            {one.name === '' ? one.slug : one.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => void navigate({ to: '/organizations' })}>
          {t('organizations.manage')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
