import { useEffect, useRef } from 'react';
import { stopAll } from '../../../canvas/emitter.ts';
import { canvasText } from '../../../i18n/canvas-text.ts';
import { useText } from '../../../i18n/index.ts';
import { useAnnotate, useSession } from './session-context.ts';
import { sizeText } from './shape-size.ts';
import { UnsentLine } from '../../../shared/files/unsent-notice.tsx';
import bars from './workspace.module.css';
import { useRecords, useSelection } from './scene-hooks.ts';

/** Writes pointer texts to the DOM directly: nothing renders on a pointer move. */
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
    return () => stopAll(stops);
  }, [engine]);
  return { zoom, cursor, hint };
}

/** Zoom, cursor, size of the selected object, and hints of the tool. */
export function StatusBar() {
  const t = useText();
  const hearsOthers = useAnnotate((state) => state.hearsOthers);
  const reading = useAnnotate((state) => state.reading);
  const { job } = useSession();
  const records = useRecords();
  const selection = useSelection();
  const { zoom, cursor, hint } = usePointerTexts();
  const selected = records.find((record) => record.clientId === selection.at(-1));
  return (
    <footer className={bars.status}>
      <span ref={zoom} title={t('annotate.zoom')} style={{ minWidth: 48 }} />
      <span ref={cursor} title={t('annotate.cursor')} style={{ minWidth: 88 }} />
      <span title={t('annotate.size')}>{selected?.kind === 'shape' ? sizeText(selected, t) : ''}</span>
      <span ref={hint} style={{ flex: 1, overflow: 'hidden', textOverflow: 'ellipsis' }} data-testid="hint" />
      <span data-testid="reading">
        {reading !== null && reading.unsent === 0 && t('annotate.reading', reading)}
        {reading !== null && reading.unsent > 0 && <UnsentLine taskId={job.task_id} {...reading} />}
      </span>
      <span role="status" title={hearsOthers ? undefined : t('others.awayLong')}>
        {hearsOthers ? '' : t('others.away')}
      </span>
    </footer>
  );
}
