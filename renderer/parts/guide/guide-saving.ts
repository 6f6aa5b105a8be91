import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Guide } from '../../../preload/contract/schema/review.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { reviewQueries } from '../../api/review-queries.ts';
import { uploadGuidePicture } from '../../api/uploads.ts';
import { text } from '../../i18n/index.ts';
import { notify } from '../../ui/notify.ts';

export interface GuideOwner {
  readonly kind: 'project' | 'task';
  readonly id: number;
  readonly guideId: number | null;
}

/** What saving came to: it is there, or somebody else's text is and this one is not written over it. */
export type Saved = { readonly guide: Guide } | { readonly theirs: Guide };

const ownerOf = ({ kind, id }: GuideOwner) => (kind === 'project' ? { project_id: id } : { task_id: id });

async function guideOf({ kind, id }: GuideOwner): Promise<Guide | null> {
  const owner = await call(kind === 'project' ? 'getProject' : 'getTask', { params: { id } });
  return owner.guide_id === null ? null : call('getGuide', { params: { id: owner.guide_id } });
}

/** Saves on what was read; answers the other text where somebody saved one meanwhile. */
async function save(owner: GuideOwner, base: Guide | null, markdown: string): Promise<Saved> {
  if (base === null) {
    const there = await guideOf(owner);
    if (there !== null) return there.markdown === '' ? save(owner, there, markdown) : { theirs: there };
    return { guide: await call('createGuide', { body: { ...ownerOf(owner), markdown } }) };
  }
  try {
    const body = { markdown, limner_based_on: base.updated_date };
    return { guide: await call('updateGuide', { params: { id: base.id }, body }) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'conflict') throw error;
    return { theirs: await call('getGuide', { params: { id: base.id } }) };
  }
}

/** The ways from the editor of a guide to the service. */
export function useGuideSaving(owner: GuideOwner) {
  const client = useQueryClient();
  const keep = (guide: Guide): void => {
    client.setQueryData(reviewQueries.guide(guide.id).queryKey, guide);
    if (owner.guideId === null)
      for (const key of ['projects', 'tasks', 'jobs']) void client.invalidateQueries({ queryKey: [key] });
  };
  const saving = useMutation({
    mutationFn: ({ base, markdown }: { readonly base: Guide | null; readonly markdown: string }) =>
      save(owner, base, markdown),
    onSuccess: (saved) => 'guide' in saved && keep(saved.guide),
    onError: (error) => notify.failure(text('guide.notSaved'), `${messageOf(error)} ${text('guide.kept')}`),
  });
  return {
    isBusy: saving.isPending,
    save: (base: Guide | null, markdown: string) => saving.mutateAsync({ base, markdown }),
    /** Pictures belong to a guide: one that is not there yet is begun, empty. */
    async begin(base: Guide | null): Promise<Guide> {
      if (base !== null) return base;
      const there = await guideOf(owner);
      if (there !== null) return there;
      const begun = await call('createGuide', { body: { ...ownerOf(owner), markdown: '' } });
      keep(begun);
      return begun;
    },
    addPicture: uploadGuidePicture,
    /** Pictures that came with this edit and are named nowhere. */
    async dropPictures(addresses: readonly string[], markdown: string): Promise<void> {
      const gone = addresses.filter((address) => !markdown.includes(address));
      const uuids = gone.map((address) => address.slice(address.lastIndexOf('/') + 1));
      await Promise.allSettled(uuids.map((uuid) => call('deleteAsset', { params: { uuid } })));
    },
  };
}
