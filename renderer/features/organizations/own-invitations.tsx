import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Invitation } from '../../../preload/contract/schema/people.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { useText } from '../../i18n/index.ts';
import { userName } from '../../parts/people/user-name.ts';
import { Box, Button, Group, Title } from '../../ui/kit.ts';
import { List, Row } from '../../ui/list.tsx';
import { notify } from '../../ui/notify.ts';

type Answer = { readonly invitation: Invitation; readonly accept: boolean };

/** Invitations that wait for this person's answer; nothing where there are none. */
export function OwnInvitations({ userId }: { readonly userId: number }) {
  const t = useText();
  const client = useQueryClient();
  const invitations = useQuery(peopleQueries.invitationsTo(userId)).data?.results ?? [];
  const answer = useMutation({
    mutationFn: ({ invitation: { key }, accept }: Answer) =>
      call(accept ? 'acceptInvitation' : 'declineInvitation', { params: { key }, organization: null }),
    onSuccess: (_, { invitation, accept }) => {
      const { slug } = invitation.organization_info;
      notify.success(t(accept ? 'organizations.accepted' : 'organizations.declined', { slug }));
    },
    onError: (error, { invitation }) => notify.failure(invitation.organization_info.slug, messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['organizations'] }),
  });
  if (invitations.length === 0) return null;
  return (
    <Box component="section" mb={32}>
      <Title order={2} mb={8}>
        {t('organizations.toYou')}
      </Title>
      <List>
        {invitations.map((invitation) => (
          <Row
            key={invitation.key}
            name={invitation.organization_info.slug}
            meta={[
              t('organizations.toYouText', {
                owner: invitation.owner === null ? t('organizations.somebody') : userName(invitation.owner),
                role: t(`organizations.roles.${invitation.role}`),
              }),
            ]}
          >
            <Group gap={8} wrap="nowrap">
              <Button size="compact-sm" onClick={() => answer.mutate({ invitation, accept: true })}>
                {t('organizations.accept')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => answer.mutate({ invitation, accept: false })}>
                {t('organizations.decline')}
              </Button>
            </Group>
          </Row>
        ))}
      </List>
    </Box>
  );
}
