import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { reviewQueries } from '../../../api/review-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { MarkdownView } from '../../../parts/markdown/markdown-view.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Loader } from '../../../ui/kit.ts';
import { Problem } from '../../../ui/page.tsx';
import { useSession, useWorkspace } from '../session-context.ts';
import classes from './guide.module.css';

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
    <p className={classes.empty}>{t('guide.empty')}</p>
  ) : (
    <MarkdownView markdown={guide.data.markdown} />
  );
};

/** How this job is to be annotated, beside the picture. */
export function GuidePanel() {
  const t = useText();
  const { job } = useSession();
  const { actions } = useWorkspace();
  return (
    <>
      <div className={classes.head}>
        <h2>{t('guide.title')}</h2>
        <IconButton label={t('common.close')} icon={<IconX size={16} />} onClick={() => actions.run('guide.toggle')} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys */}
      <div className={classes.body} tabIndex={0} role="region" aria-label={t('guide.title')}>
        {job.guide_id === null ? <p className={classes.empty}>{t('guide.none')}</p> : <Guide id={job.guide_id} />}
      </div>
    </>
  );
}
