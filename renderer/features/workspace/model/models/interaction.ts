import { added } from '../../../../canvas/changes.ts';
import { labelTakes } from '../../../../../preload/contract/label-fit.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { call, wasCancelled } from '../../../../api/client.ts';
import { stopAll } from '../../../../canvas/emitter.ts';
import type { Prompts, ShapeRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import type { SessionParts } from '../types.ts';
import { inForm, readInteraction } from './interaction-answer.ts';
import { keptRecord, knowsNegative, missingPrompt, previewRecord, promptFields } from './interaction-question.ts';
import { reasonOf, type ModelState } from './model-state.ts';

interface InteractionParts extends Pick<SessionParts, 'job' | 'engine' | 'store' | 'metaOf'> {
  readonly state: StoreApi<ModelState>;
}

interface Question {
  readonly abort: AbortController;
  /** Null if the call failed; the user has been notified. */
  readonly answer: Promise<readonly ShapeRecord[] | null>;
}

/** Points and a box for an interactor. The answer is previewed and saved on Enter. */
export function createInteraction({ job, engine, store, metaOf, state }: InteractionParts) {
  let current: Question | null = null;
  let shown: readonly string[] = [];

  const labelFor = (type: ShapeRecord['type']): Label | undefined => {
    const { labels, activeLabelId } = store.getState();
    const suits = (label: Label): boolean => labelTakes(label.type, type);
    return labels.find((label) => label.id === activeLabelId && suits(label)) ?? labels.find(suits);
  };
  const show = (records: readonly ShapeRecord[]): void => {
    const ids = records.map(({ clientId }) => clientId);
    const gone = shown.filter((id) => !ids.includes(id));
    shown = ids;
    engine.patchScene(records, gone);
  };
  const say = (note: ModelState['note']): void => state.setState({ note });

  const ask = async (model: LambdaFunction, prompts: Prompts, signal: AbortSignal): Promise<readonly ShapeRecord[]> => {
    const { takeAs } = state.getState();
    const { frame } = engine.scene;
    const label = labelFor(takeAs);
    if (label === undefined) throw new Error(text('assist.noLabelFor', { form: text(`annotate.shape.${takeAs}`) }));
    const body = { task: job.task_id, job: job.id, frame, ...promptFields(model, prompts) };
    const answer = await call('callLambdaFunction', { params: { id: model.id }, body, signal });
    const size = metaOf(store.getState().frame) ?? { width: 1, height: 1 };
    const outlines = inForm(readInteraction(answer, size), takeAs, size);
    if (outlines.length === 0) say({ kind: 'info', text: text('assist.nothingThere') });
    else if (!knowsNegative(model) && prompts.negative.length > 0) {
      say({ kind: 'info', text: text('assist.noNegative') });
    }
    return outlines.map((outline, index) => previewRecord(outline, frame, label, index));
  };
  const begin = (model: LambdaFunction, prompts: Prompts): void => {
    const abort = new AbortController();
    state.setState({ interacting: true, note: null });
    const answer = ask(model, prompts, abort.signal).catch((error: unknown) => {
      const reason = text('assist.detectFailed', { name: model.name, message: reasonOf(error) });
      if (!wasCancelled(error)) say({ kind: 'failure', text: reason });
      return null;
    });
    const mine: Question = { abort, answer };
    current = mine;
    const reveal = async (): Promise<void> => {
      const records = await answer;
      if (current !== mine) return;
      state.setState({ interacting: false });
      if (records !== null) show(records);
    };
    void reveal();
  };
  const drop = (): void => {
    current?.abort.abort();
    current = null;
    show([]);
    state.setState({ interacting: false });
  };
  const keep = async ({ answer }: Question): Promise<void> => {
    const { frame } = engine.scene;
    const records = await answer;
    state.setState({ interacting: current !== null });
    show([]);
    const [first] = records ?? [];
    if (records === null || first === undefined) return;
    const name = store.getState().labels.find((label) => label.id === first.labelId)?.name ?? '';
    const changes = records.map((preview) => added(keptRecord(preview, crypto.randomUUID())));
    engine.execute({ kind: 'create', frame, label: text('assist.took', { name }), changes });
  };

  const onPrompts = (prompts: Prompts, finished: boolean): void => {
    const { chosen } = state.getState();
    if (finished) {
      const operationQuery = current;
      current = null;
      if (operationQuery !== null) void keep(operationQuery);
      return;
    }
    const isEmpty = prompts.positive.length + prompts.negative.length === 0 && prompts.box === null;
    const missing = chosen?.kind === 'interactor' ? missingPrompt(chosen, prompts) : null;
    if (isEmpty || chosen?.kind !== 'interactor' || missing !== null) {
      drop();
      if (!isEmpty && missing !== null) say({ kind: 'info', text: text(`assist.missing.${missing}`) });
      return;
    }
    // The preview stays until the new answer arrives.
    current?.abort.abort();
    begin(chosen, prompts);
  };
  const stops = [
    engine.on('prompts', onPrompts),
    engine.on('toolChange', (tool) => {
      if (tool !== 'prompt') drop();
    }),
  ];
  return {
    /** Activates the prompt tool with an interactor, or opens the label prompt if no label fits. */
    arm(model: LambdaFunction) {
      state.setState({ chosen: model, note: null });
      const label = labelFor(state.getState().takeAs);
      if (label === undefined) {
        store.setState({ naming: { what: 'prompt', shapes: [] } });
        return;
      }
      store.setState({ activeLabelId: label.id, naming: null });
      engine.setTool('prompt');
    },
    close() {
      current?.abort.abort();
      stopAll(stops);
    },
  };
}
