import { text } from '../../../i18n/index.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { notify } from '../../../ui/notify.ts';
import type { AnnotateSession } from '../model/session.ts';

export async function saveScreenshot({ engine, store, job }: AnnotateSession, kind: 'png' | 'svg'): Promise<void> {
  const { frame, picture } = store.getState();
  if (picture.kind !== 'ready') {
    notify.failure(text('view.saveFailed'), text('view.noPicture'));
    return;
  }
  const name = `${(job.task_name ?? 'limner').replaceAll(/[\\/:*?"<>|]+/g, ' ').trim()} ${frame}.${kind}`;
  try {
    saveFile(name, await (kind === 'png' ? engine.snapshot() : engine.snapshotSvg()));
    notify.success(text('view.saved', { name }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notify.failure(text('view.saveFailed'), text('view.saveFailedText', { reason }));
  }
}
