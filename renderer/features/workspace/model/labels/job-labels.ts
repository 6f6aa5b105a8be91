import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { SessionParts } from '../types.ts';
import { createDrawing } from './drawing.ts';
import { canvasLabels } from './label-rules.ts';
import { createLabelService, type AttributeWrite } from './label-service.ts';
import { createUnnamedShapes } from './unnamed-shapes.ts';

interface JobLabelsParts extends Pick<SessionParts, 'job' | 'engine' | 'store'> {
  readonly onLabels: (labels: readonly Label[]) => void;
}

/** Labels of the open job, and drawing with them. */
export function createJobLabels({ job, engine, store, onLabels }: JobLabelsParts) {
  const labelService = createLabelService(job);
  const setLabels = (labels: readonly Label[]): void => {
    store.setState({ labels });
    engine.setLabels(canvasLabels(labels));
    onLabels(labels);
  };
  engine.setLabels(canvasLabels(store.getState().labels));
  const unnamed = createUnnamedShapes(engine);
  const readNow = async (): Promise<void> => {
    const before = store.getState();
    const now = await labelService.list().catch(() => null);
    if (now === null || JSON.stringify(now) === JSON.stringify(before.labels)) return;
    setLabels(now);
    const { activeLabelId } = store.getState();
    if (activeLabelId === null || now.some(({ id }) => id === activeLabelId)) return;
    const name = before.labels.find(({ id }) => id === activeLabelId)?.name ?? '';
    store.setState({ activeLabelId: null });
    engine.setTool('select');
    notify.hint('labels', text('saving.labelGone', { name }));
  };
  let reading: Promise<void> | null = null;
  /** Reloads the labels, which may have changed elsewhere. */
  const read = (): Promise<void> => (reading ??= readNow().finally(() => (reading = null)));
  // A deleted label is the most frequent reason for a rejection.
  store.subscribe(({ save }, before) => save.refused > before.save.refused && void read());
  return {
    unnamed,
    drawing: createDrawing({ engine, unnamed, store, labelService, setLabels }),
    read,
    async reload(): Promise<void> {
      setLabels(await labelService.list());
    },
    async addAttribute(id: number, attribute: AttributeWrite): Promise<void> {
      try {
        setLabels(await labelService.addAttribute(id, attribute));
      } catch (error) {
        notify.failure(text('annotate.labelFailed'), error);
      }
    },
    async recolor(id: number, color: string): Promise<void> {
      try {
        setLabels(await labelService.recolor(id, color));
      } catch (error) {
        notify.failure(text('annotate.labelFailed'), error);
      }
    },
  };
}

export type JobLabels = ReturnType<typeof createJobLabels>;
