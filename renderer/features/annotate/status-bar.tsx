import { useEffect, useRef } from 'react';
import { canvasText } from '../../i18n/canvas-text.ts';
import { useText } from '../../i18n/index.ts';
import { saveText } from './saving/save-text.ts';
import { useAnnotate, useRecords, useSelection, useSession } from './session-context.ts';
import { sizeText } from './shape-size.ts';
import bars from './workspace.module.css';

/** Texts that follow the pointer are written to the page directly: nothing renders on a pointer move. */
function usePointerTexts() {
  const { engine } = useSession();
  const zoom = useRef<HTMLSpanElement>(null);
  const cursor = useRef<HTMLSpanElement>(null);
  const hint = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const showZoom = (): void => {
      if (zoom.current !== null) zoom.current.textContent = `${Math.round(engine.getView().scale * 100)} %`;
    };
    showZoom();
    const stops = [
      engine.on('view', showZoom),
      engine.on('hint', (key) => {
        if (hint.current !== null) hint.current.textContent = key === null ? '' : canvasText(key);
      }),
      engine.on('cursor', (point) => {
        if (cursor.current === null) return;
        cursor.current.textContent = point === null ? '' : `${Math.floor(point.x)}, ${Math.floor(point.y)}`;
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [engine]);
  return { zoom, cursor, hint };
}

/** File n of N, zoom, cursor, size of the selected object, saved state. */
export function StatusBar() {
  const t = useText();
  const { job } = useSession();
  const frame = useAnnotate((state) => state.wantedFrame);
  const save = useAnnotate((state) => state.save);
  const hearsOthers = useAnnotate((state) => state.hearsOthers);
  const records = useRecords();
  const selection = useSelection();
  const { zoom, cursor, hint } = usePointerTexts();
  const selected = records.find((record) => record.clientId === selection.at(-1));
  return (
    <footer className={bars.status}>
      <span>{t('annotate.position', { index: frame - job.start_frame + 1, count: job.frame_count })}</span>
      <span ref={zoom} title={t('annotate.zoom')} style={{ minWidth: 48 }} />
      <span ref={cursor} title={t('annotate.cursor')} style={{ minWidth: 88 }} />
      <span title={t('annotate.size')}>{selected?.kind === 'shape' ? sizeText(selected, t) : ''}</span>
      <span ref={hint} style={{ flex: 1, overflow: 'hidden', textOverflow: 'ellipsis' }} data-testid="hint" />
      <span role="status" title={hearsOthers ? undefined : t('others.awayLong')}>
        {hearsOthers ? '' : t('others.away')}
      </span>
      <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{saveText(save, t)}</span>
    </footer>
  );
}
