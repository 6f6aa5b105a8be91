import { clientEvents } from '../../../api/client-events.ts';
import { stopAll } from '../../../canvas/emitter.ts';
import type { CommandKind, ToolId } from '../../../canvas/types.ts';
import type { SessionParts } from './types.ts';

/** Event scopes of CVAT. Commands without a scope are not reported. */
const scopes: Partial<Record<CommandKind, string>> = {
  create: 'draw:object',
  paste: 'paste:object',
  delete: 'delete:object',
  move: 'drag:object',
  resize: 'resize:object',
  rotate: 'resize:object',
  vertex: 'resize:object',
  mask: 'resize:object',
  label: 'change:label',
  attributes: 'change:attribute',
  state: 'lock:object',
  group: 'group:objects',
};
const zoomPauseMs = 2000;

/** Reports actions in an open job as analytics events. @returns stop function */
export function reportEvents({ job, engine, store }: Pick<SessionParts, 'job' | 'engine' | 'store'>): () => void {
  const place = { job_id: job.id, task_id: job.task_id, project_id: job.project_id };
  const tell = (scope: string, more: object = {}): void => clientEvents.tell(scope, { ...place, ...more });
  let drawing: { readonly tool: ToolId; readonly startMs: number } | null = null;
  let zoomedMs = 0;
  let scale: number | null = null;
  tell('load:job');
  const stops = [
    engine.on('drawStart', (tool) => {
      drawing = { tool, startMs: performance.now() };
    }),
    engine.on('drawEnd', (_, outcome) => {
      if (outcome === 'cancelled') drawing = null;
    }),
    engine.on('command', ({ kind, changes }, origin) => {
      if (origin !== 'do') return tell(`action:${origin}`);
      const scope = scopes[kind];
      if (scope === undefined) return;
      if (kind !== 'create') return tell(scope, { count: changes.length });
      const made = changes[0]?.after;
      const type = made?.kind === 'shape' ? made.type : (made?.kind ?? null);
      const duration = drawing === null ? 0 : Math.round(performance.now() - drawing.startMs);
      tell(scope, { obj_name: drawing?.tool ?? type, count: changes.length, duration });
      drawing = null;
    }),
    engine.on('view', (view) => {
      const isZoom = scale !== null && view.scale !== scale;
      scale = view.scale;
      if (!isZoom || performance.now() - zoomedMs < zoomPauseMs) return;
      zoomedMs = performance.now();
      tell('zoom:image');
    }),
    store.subscribe((now, before) => {
      if (now.frame !== before.frame) tell('change:frame', { obj_val: String(now.frame) });
    }),
  ];
  return () => {
    stopAll(stops);
    void clientEvents.flush();
  };
}
