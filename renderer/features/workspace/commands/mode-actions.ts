import { inGroup, type Action } from '../../../canvas/action-table.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { firstPanel, frameIsShown, modes, type Mode } from '../model/types.ts';
import type { AnnotateSession } from '../model/session.ts';
import { isOffered } from './mode-offers.ts';
import { rememberMode } from '../model/modes/mode.ts';

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/** Review keys: N creates an issue, brackets step through issues, digits create quick issues. */
function reviewActions({ review, store, metaOf }: AnnotateSession): Action[] {
  const action = inGroup('mode');
  const isOn = (): boolean => store.getState().mode === 'review';
  const extra = { scope: 'mode.review', when: isOn } as const;
  const size = () => metaOf(store.getState().frame) ?? { width: 0, height: 0 };
  const isOpen = (): boolean => {
    const { armed, draft, chosen } = review.state.getState();
    return armed !== null || draft !== null || chosen !== null;
  };
  return [
    action('review.new', 'modes.review.new', ['KeyN'], () => review.begin(null, size()), extra),
    action('review.next', 'modes.review.next', ['BracketRight'], () => review.step(1), { ...extra, repeats: true }),
    action('review.previous', 'modes.review.previous', ['BracketLeft'], () => review.step(-1), {
      ...extra,
      repeats: true,
    }),
    action('review.close', 'modes.review.close', ['Escape'], closeWhatIsOpen, {
      ...extra,
      when: () => isOn() && isOpen(),
    }),
    action(
      'review.edit',
      'modes.review.editing',
      [],
      () => review.state.setState(({ editing }) => ({ editing: !editing })),
      extra,
    ),
    ...numbersTo(7).map((number) =>
      action(`review.quick${number}`, 'modes.review.quickNumber', [`Digit${number}`], () => quick(number), {
        ...extra,
        number,
      }),
    ),
  ];

  function closeWhatIsOpen(): void {
    review.state.setState({ armed: null, draft: null, chosen: null });
  }
  function quick(number: number): void {
    const message = review.quickTexts()[number - 1];
    if (message !== undefined) review.begin(message, size());
  }
}

/** Digits select the label; other keys belong to the armed tool. */
function singleActions({ modes }: AnnotateSession): Action[] {
  const action = inGroup('mode');
  const { single: controller } = modes;
  return numbersTo(9).map((number) =>
    action(`single.label${number}`, 'desks.single.number', [`Digit${number}`], () => controller.chooseNumber(number), {
      scope: 'mode.single',
      when: () => controller.isOn(),
      number,
    }),
  );
}

function tagActions({ modes }: AnnotateSession): Action[] {
  const action = inGroup('mode');
  const { tags: controller } = modes;
  const extra = { scope: 'mode.tags', when: () => controller.isOn() } as const;
  return [
    ...numbersTo(10).map((number) =>
      action(
        `tags.toggle${number}`,
        'desks.tags.number',
        [`Digit${number % 10}`],
        () => controller.toggleNumber(number),
        {
          ...extra,
          number,
        },
      ),
    ),
    action('tags.removeLast', 'desks.tags.removeLast', ['Backspace'], controller.removeLast, extra),
  ];
}

const attributeInput = '[data-attribute-input] input';

/** Digits set values, up and down change the attribute, Tab changes the object. */
function attributeActions({ modes }: AnnotateSession): Action[] {
  const { attributes: controller } = modes;
  /** While a frame loads these keys do nothing, not even their usual action. */
  const action = (
    id: string,
    label: TextKey,
    shortcut: string,
    run: () => void,
    extra: Partial<Action> = {},
  ): Action => {
    const runReady = (): void => {
      if (controller.isReady()) run();
    };
    return inGroup('mode')(id, label, [shortcut], runReady, {
      scope: 'mode.attributes',
      when: () => controller.isOn(),
      ...extra,
    });
  };
  const held = { repeats: true };
  const type = (): void => document.querySelector<HTMLInputElement>(attributeInput)?.focus();
  return [
    ...numbersTo(10).map((number) =>
      action(
        `attributes.value${number}`,
        'desks.attributes.valueNumber',
        `Digit${number % 10}`,
        () => controller.setNumber(number),
        { number },
      ),
    ),
    action('attributes.next', 'desks.attributes.next', 'ArrowDown', () => controller.step(1), held),
    action('attributes.previous', 'desks.attributes.previous', 'ArrowUp', () => controller.step(-1), held),
    action('attributes.nextObject', 'desks.attributes.nextObject', 'Tab', () => controller.stepObject(1), held),
    action(
      'attributes.previousObject',
      'desks.attributes.previousObject',
      'Shift+Tab',
      () => controller.stepObject(-1),
      held,
    ),
    action('attributes.type', 'desks.attributes.type', 'Enter', type),
    action('attributes.reset', 'desks.attributes.reset', 'Backspace', () => controller.reset()),
  ];
}

export function isOfferedInMode(
  action: Pick<Action, 'id' | 'group'>,
  { store, review, modes }: AnnotateSession,
): boolean {
  const { mode } = store.getState();
  const { editing } = review.state.getState();
  const { tool } = modes.single.state.getState();
  return isOffered(action, { mode, editing, tool, canCancel: modes.single.canCancel() });
}

/** Leaves the draft and starts the mode with no tool armed. */
function setMode(session: AnnotateSession, mode: Mode): void {
  const { store, engine, job } = session;
  if (store.getState().mode === mode) return;
  if (engine.getTool().drawing) engine.finishDrawing();
  engine.setTool('select');
  rememberMode(job, mode);
  store.setState({ mode, panel: firstPanel(mode) });
}

export function modeActions(session: AnnotateSession): Action[] {
  const action = inGroup('mode');
  return [
    ...modes.map((mode, index) =>
      action(`mode.${mode}`, `modes.actions.${mode}`, [`KeyT Digit${index + 1}`], () => setMode(session, mode)),
    ),
    ...[...reviewActions(session), ...singleActions(session)].map((one) => ({
      ...one,
      when: () => frameIsShown(session.store.getState()) && one.when(),
    })),
    ...attributeActions(session),
    ...tagActions(session),
  ];
}
