import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { reviewQueries } from '../../../../api/review-queries.ts';
import { useText } from '../../../../i18n/index.ts';
import { MarkdownView } from '../../../../shared/markdown-view.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Box, Group, Loader, Text, Title } from '../../../../ui/kit.ts';
import { Problem } from '../../../../ui/page.tsx';
import { useSession, useWorkspace } from '../session-context.ts';

const scrolled = { flex: 1, mih: 0, px: 12, pb: 12, style: { overflowY: 'auto' } } as const;

const Empty = ({ text }: { readonly text: string }) => (
  <Text fz="sm" c="dimmed">
    {text}
  </Text>
);

const Guide = ({ id }: { readonly id: number }) => {
  const t = useText();
  const guide = useQuery(reviewQueries.guide(id));
  if (guide.data === undefined) {
    return guide.error === null ? (
      <Loader size={16} m={12} aria-label={t('guide.loading')} />
    ) : (
      <Problem
        title={t('guide.failed')}
        message={guide.error.message}
        retry={{ label: t('common.retry'), run: () => void guide.refetch() }}
      />
    );
  }
  return guide.data.markdown.trim() === '' ? (
    <Empty text={t('guide.empty')} />
  ) : (
    <MarkdownView markdown={guide.data.markdown} />
  );
};

export function GuidePanel() {
  const t = useText();
  const { job } = useSession();
  const { actions } = useWorkspace();
  return (
    <>
      <Group justify="space-between" wrap="nowrap" flex="none" mih={40} pl={12} pr={8}>
        <Title order={2} size="h3">
          {t('guide.title')}
        </Title>
        <IconButton label={t('common.close')} icon={<IconX size={16} />} onClick={() => actions.run('guide.toggle')} />
      </Group>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys */}
      <Box {...scrolled} tabIndex={0} role="region" aria-label={t('guide.title')}>
        {job.guide_id === null ? <Empty text={t('guide.none')} /> : <Guide id={job.guide_id} />}
      </Box>
    </>
  );
}
