import { IconBucket, IconPhotoPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CloudStorage } from '../../../preload/contract/schema/cloud-storages.ts';
import { bucketQueries } from '../../api/bucket-queries.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { NewButton, PlainListPage } from '../../shared/lists/list-page.tsx';
import { useChange } from '../../shared/use-change.ts';
import { ask } from '../../ui/confirm.tsx';
import { Button, Menu } from '../../ui/kit.ts';
import { List, Row } from '../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';
import { PreviewImage } from '../../shared/preview-image.tsx';
import { BucketDialog } from '../../shared/buckets/bucket-dialog.tsx';
import { ManifestDialog } from './manifest-dialog.tsx';
import { hostOf, kindOf } from '../../shared/buckets/bucket-form.ts';
import { BucketState } from '../../shared/buckets/bucket-state.tsx';

interface BucketRowProps {
  readonly storage: CloudStorage;
  readonly onEdit: () => void;
  readonly onManifest: () => void;
}

function BucketRow({ storage, onEdit, onManifest }: BucketRowProps) {
  const t = useText();
  const navigate = useNavigate();
  const { id, display_name: name, resource, updated_date: version, manifests } = storage;
  const remove = useChange(() => call('deleteCloudStorage', { params: { id } }), {
    reloads: ['cloudstorages'],
    done: () => notify.success(t('buckets.deleted', { name })),
    failed: t('buckets.notDeleted', { name }),
  });
  const question = { title: t('buckets.deleteTitle', { name }), text: t('buckets.deleteText') };
  return (
    <Row
      lead={<PreviewImage key={version} kind="cloudstorage" id={id} version={version} />}
      name={name}
      title={name}
      meta={[
        t(`buckets.kinds.${kindOf(storage)}`),
        hostOf(storage),
        resource,
        manifests.length === 0 ? null : t('buckets.manifestCount', { count: manifests.length }),
      ]}
      note={<BucketState storage={storage} />}
    >
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPhotoPlus size={14} stroke={1.5} />}
        aria-label={t('buckets.newTaskFrom', { name })}
        onClick={() => void navigate({ to: '/tasks/new', search: { bucket: id } })}
      >
        {t('buckets.newTask')}
      </Button>
      <MoreMenu of="row" label={t('buckets.moreOf', { name })} loading={remove.isPending}>
        <Menu.Item onClick={onEdit}>{t('buckets.edit')}</Menu.Item>
        <Menu.Item onClick={onManifest}>{t('buckets.manifestMenu')}</Menu.Item>
        <DeleteItem
          onClick={() =>
            void ask({ ...question, confirm: t('common.delete') }).then((isSure) => isSure && remove.mutate())
          }
        />
      </MoreMenu>
    </Row>
  );
}

/** Buckets that tasks, exports and imports can use. */
export function BucketsPage() {
  const t = useText();
  const buckets = useQuery(bucketQueries.list());
  /** Null: a new one; undefined: no dialog. */
  const [edited, setEdited] = useState<CloudStorage | null>();
  const [listed, setListed] = useState<CloudStorage>();
  return (
    <PlainListPage
      words="buckets"
      icon={IconBucket}
      query={buckets}
      create={<NewButton text={t('buckets.connect')} onClick={() => setEdited(null)} />}
      dialogs={
        <>
          {edited !== undefined && (
            <BucketDialog
              storage={edited}
              onClose={() => setEdited(undefined)}
              onSaved={({ display_name: name }) => notify.success(t('buckets.saved', { name }))}
            />
          )}
          {listed && <ManifestDialog storage={listed} onClose={() => setListed(undefined)} />}
        </>
      }
    >
      {(found) => (
        <List>
          {found.map((storage) => (
            <BucketRow
              key={storage.id}
              storage={storage}
              onEdit={() => setEdited(storage)}
              onManifest={() => setListed(storage)}
            />
          ))}
        </List>
      )}
    </PlainListPage>
  );
}
