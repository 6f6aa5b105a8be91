import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { remoteQueries } from '../../../api/remote-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { useFollowRequest } from '../../../shared/remotes/follow-request.ts';
import { useChange } from '../../../shared/use-change.ts';
import { FormDialog, FormError } from '../../../ui/form.tsx';
import { ChoiceField, Dimmed } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';

interface PublishDialogProps {
  readonly target: { readonly kind: 'task' | 'project'; readonly id: number; readonly name: string };
  readonly onClose: () => void;
}

/** Creates a local task or project on a CVAT server, which it follows afterwards. */
export function PublishDialog({ target, onClose }: PublishDialogProps) {
  const t = useText();
  const navigate = useNavigate();
  const follow = useFollowRequest();
  const servers = useQuery({ ...remoteQueries.servers(), refetchOnMount: 'always' });
  const all = servers.data?.results ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [org, setOrg] = useState('');
  const server = chosen ?? (all[0] === undefined ? null : String(all[0].id));
  const organizations = useQuery({
    ...remoteQueries.items(Number(server), { kind: 'organization', page_size: '999' }),
    enabled: server !== null,
  });
  const publish = useChange(
    () => call('publishToRemote', { params: { id: Number(server) }, body: { kind: target.kind, id: target.id, org } }),
    {
      done: ({ rq_id: id }) => {
        follow(id, t('remote.publishFailed', { name: target.name }));
        onClose();
      },
    },
  );
  const isEmpty = servers.data !== undefined && all.length === 0;
  return (
    <FormDialog
      title={t('remote.publishTitle', { name: target.name })}
      submit={isEmpty ? t('remote.toServers') : t('remote.publish')}
      {...(isEmpty ? { onSubmit: () => void navigate({ to: '/remote' }) } : { change: publish })}
      isReady={isEmpty || server !== null}
      onClose={onClose}
    >
      <Loaded query={servers}>
        {() =>
          isEmpty ? (
            <Dimmed>{t('remote.noServers')}</Dimmed>
          ) : (
            <>
              <Dimmed>{t(`remote.publishText.${target.kind}`)}</Dimmed>
              <ChoiceField
                label={t('remote.server')}
                data-autofocus
                data={all.map(({ id, name }) => ({ value: String(id), label: name }))}
                value={server}
                onChange={(value) => {
                  setChosen(value);
                  setOrg('');
                }}
              />
              <ChoiceField
                label={t('remote.organization')}
                data={[
                  { value: '', label: t('organizations.personal') },
                  ...(organizations.data?.results ?? []).map(({ slug, name }) => ({ value: slug ?? '', label: name })),
                ]}
                value={org}
                onChange={setOrg}
              />
              <FormError text={organizations.error?.message} />
            </>
          )
        }
      </Loaded>
    </FormDialog>
  );
}
