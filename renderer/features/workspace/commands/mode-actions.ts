import { inGroup, type ActionOn } from '../../../canvas/action-table.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import type { AnnotateSession } from '../model/session.ts';
import { firstPanel, frameIsShown, modes, type Mode } from '../model/types.ts';
import { focusInput } from './focus.ts';
import { rememberMode } from '../model/modes/mode-choices.ts';

type SessionAction = ActionOn<AnnotateSession>;
type Extra = Partial<SessionAction>;

const action = inGroup<AnnotateSession>('mode');
const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/** Review keys: N creates an issue, brackets step through issues, digits create quick issues. */
function reviewActions(): SessionAction[] {
  const isOn = ({ store }: AnnotateSession): boolean => store.getState().mode === 'review';
  const extra: Extra = { scope: 'mode.review', when: isOn };
  const held = { ...extra, repeats: true };
  const sizeOf = ({ metaOf, store }: AnnotateSession) => metaOf(store.getState().frame) ?? { width: 0, height: 0 };
  const isOpen = ({ review }: AnnotateSession): boolean => {
    const { armed, draft, chosen } = review.state.getState();
    return armed !== null || draft !== null || chosen !== null;
  };
  const close = ({ review }: AnnotateSession): void =>
    review.state.setState({ armed: null, draft: null, chosen: null });
  const quick = (number: number) => (session: AnnotateSession) => {
    const message = session.review.quickTexts()[number - 1];
    if (message !== undefined) session.review.begin(message, sizeOf(session));
  };
  return [
    action('review.new', 'modes.review.new', ['KeyN'], (session) => session.review.begin(null, sizeOf(session)), extra),
    action('review.next', 'modes.review.next', ['BracketRight'], ({ review }) => review.step(1), held),
    action('review.previous', 'modes.review.previous', ['BracketLeft'], ({ review }) => review.step(-1), held),
    action('review.close', 'modes.review.close', ['Escape'], close, {
      ...extra,
      when: (session) => isOn(session) && isOpen(session),
    }),
    action(
      'review.edit',
      'modes.review.editing',
      [],
      ({ review }) => review.state.setState(({ editing }) => ({ editing: !editing })),
      extra,
    ),
    ...numbersTo(7).map((number) =>
      action(`review.quick${number}`, 'modes.review.quickNumber', [`Digit${number}`], quick(number), {
        ...extra,
        number,
      }),
    ),
  ];
}

/** Digits select the label; other keys belong to the armed tool. */
const singleActions = (): SessionAction[] =>
  numbersTo(9).map((number) =>
    action(
      `single.label${number}`,
      'desks.single.number',
      [`Digit${number}`],
      ({ modes }) => modes.single.chooseNumber(number),
      { scope: 'mode.single', when: ({ modes }) => modes.single.isOn(), number },
    ),
  );

function tagActions(): SessionAction[] {
  const extra: Extra = { scope: 'mode.tags', when: ({ modes }) => modes.tags.isOn() };
  return [
    ...numbersTo(10).map((number) =>
      action(
        `tags.toggle${number}`,
        'desks.tags.number',
        [`Digit${number % 10}`],
        ({ modes }) => modes.tags.toggleNumber(number),
        { ...extra, number },
      ),
    ),
    action('tags.removeLast', 'desks.tags.removeLast', ['Backspace'], ({ modes }) => modes.tags.removeLast(), extra),
  ];
}

type Attributes = AnnotateSession['modes']['attributes'];

/** Digits set values, up and down change the attribute, Tab changes the object. */
function attributeActions(): SessionAction[] {
  /** While a frame loads these keys do nothing, not even their usual action. */
  const ofMode = (id: string, label: TextKey, key: string, run: (attributes: Attributes) => void, extra: Extra = {}) =>
    action(id, label, [key], ({ modes: { attributes } }) => void (attributes.isReady() && run(attributes)), {
      scope: 'mode.attributes',
      when: ({ modes }) => modes.attributes.isOn(),
      ...extra,
    });
  const stepObject =
    (by: 1 | -1) =>
    ({ stepObject }: Attributes): void =>
      stepObject(by);
  const held = { repeats: true };
  return [
    ...numbersTo(10).map((number) =>
      ofMode(
        `attributes.value${number}`,
        'desks.attributes.valueNumber',
        `Digit${number % 10}`,
        ({ setNumber }) => setNumber(number),
        { number },
      ),
    ),
    ofMode('attributes.next', 'desks.attributes.next', 'ArrowDown', ({ step }) => step(1), held),
    ofMode('attributes.previous', 'desks.attributes.previous', 'ArrowUp', ({ step }) => step(-1), held),
    ofMode('attributes.nextObject', 'desks.attributes.nextObject', 'Tab', stepObject(1), held),
    ofMode('attributes.previousObject', 'desks.attributes.previousObject', 'Shift+Tab', stepObject(-1), held),
    ofMode('attributes.type', 'desks.attributes.type', 'Enter', () => focusInput('attribute')),
    ofMode('attributes.reset', 'desks.attributes.reset', 'Backspace', ({ reset }) => reset()),
  ];
}

/** Leaves the draft and starts the mode with no tool armed. */
function setMode({ store, engine, job }: AnnotateSession, mode: Mode): void {
  if (store.getState().mode === mode) return;
  if (engine.getTool().drawing) engine.finishDrawing();
  engine.setTool('select');
  rememberMode(job, mode);
  store.setState({ mode, panel: firstPanel(mode) });
}

export const modeActions: readonly SessionAction[] = [
  ...modes.map((mode, index) =>
    action(`mode.${mode}`, `modes.actions.${mode}`, [`KeyT Digit${index + 1}`], (session) => setMode(session, mode)),
  ),
  ...[...reviewActions(), ...singleActions()].map((one) => ({
    ...one,
    when: (session: AnnotateSession) => frameIsShown(session.store.getState()) && one.when?.(session) !== false,
  })),
  ...attributeActions(),
  ...tagActions(),
];
