import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { SessionParts } from '../types.ts';
import { copiedObjects, matchedByName, readCopied, type CopiedObjects } from './clipboard-text.ts';

const key = 'limner.clipboard';

interface ClipboardParts extends Pick<SessionParts, 'store'> {
  readonly jobId: number;
  readonly engine: Pick<CanvasEngine, 'scene' | 'selection' | 'paste' | 'remove'>;
  /** Shared by all windows of this program. */
  readonly kept: Pick<Storage, 'getItem' | 'setItem'>;
  /** System clipboard; undefined if the window may not use it. */
  readonly system?: Pick<Clipboard, 'readText' | 'writeText'> | undefined;
  /** True if reading the clipboard needs no permission prompt. */
  readonly mayRead: () => Promise<boolean>;
}

export function createClipboard({ jobId, engine, store, kept, system, mayRead }: ClipboardParts) {
  const { scene, selection } = engine;
  let own: CopiedObjects | null = null;

  const copy = (): void => {
    const { labels } = store.getState();
    own = copiedObjects(
      jobId,
      selection.ids().flatMap((id) => scene.get(id) ?? []),
      labels,
    );
    const written = JSON.stringify(own);
    try {
      kept.setItem(key, written);
    } catch {
      notify.hint('clipboard', text('editing.clipboard.large'));
    }
    system?.writeText(written).catch(() => undefined);
  };
  const copied = async (): Promise<CopiedObjects | null> => {
    const outside = (await mayRead().catch(() => false)) ? await system?.readText().catch(() => null) : null;
    const shared = readCopied(outside ?? null) ?? readCopied(kept.getItem(key));
    return shared ?? own;
  };

  return {
    copy,
    cut() {
      copy();
      engine.remove(selection.ids());
    },
    isFilled: () => own !== null || kept.getItem(key) !== null,
    /** `inPlace` keeps the position even on the frame of origin. */
    async paste(inPlace: boolean): Promise<void> {
      const { frame } = scene;
      const found = await copied();
      // The user left the frame while the clipboard was read.
      if (found === null || scene.frame !== frame) return;
      const { records, missing } = matchedByName(found, store.getState().labels);
      // Only copies on their frame of origin are offset.
      const given = records.map((record): SceneRecord => (found.jobId === jobId ? record : { ...record, frame: -1 }));
      if (given.length > 0) engine.paste(given, inPlace);
      if (missing.length === 0) return;
      const values = { count: found.records.length - records.length, names: missing.join(', ') };
      notify.hint('refused', text('editing.clipboard.missing', values));
    },
  };
}

/** True if the permission was granted before, so that reading shows no prompt. */
export async function mayReadClipboard(): Promise<boolean> {
  // Missing in the DOM types; browsers that do not know it throw.
  const name = 'clipboard-read' as PermissionName;
  return (await navigator.permissions.query({ name })).state === 'granted';
}
