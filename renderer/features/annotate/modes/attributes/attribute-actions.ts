import { inGroup, type Action } from '../../../../canvas/actions.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import type { AnnotateSession } from '../../session.ts';

const attributeInput = '[data-attribute-input] input';

/** Digits are values, up and down lead from attribute to attribute, Tab from object to object. */
export function attributeActions({ modes }: AnnotateSession): Action[] {
  const { attributes: desk } = modes;
  /** While a frame is on its way these keys do nothing: what they mean elsewhere must not happen either. */
  const action = (
    id: string,
    label: TextKey,
    shortcut: string,
    run: () => void,
    extra: Partial<Action> = {},
  ): Action => {
    const runReady = (): void => {
      if (desk.isReady()) run();
    };
    return inGroup('mode')(id, label, [shortcut], runReady, {
      scope: 'mode.attributes',
      when: () => desk.isOn(),
      ...extra,
    });
  };
  const held = { repeats: true };
  const type = (): void => document.querySelector<HTMLInputElement>(attributeInput)?.focus();
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
  return [
    ...numbers.map((number) =>
      action(
        `attributes.value${number}`,
        'desks.attributes.valueNumber',
        `Digit${number % 10}`,
        () => desk.setNumber(number),
        { number },
      ),
    ),
    action('attributes.next', 'desks.attributes.next', 'ArrowDown', () => desk.step(1), held),
    action('attributes.previous', 'desks.attributes.previous', 'ArrowUp', () => desk.step(-1), held),
    action('attributes.nextObject', 'desks.attributes.nextObject', 'Tab', () => desk.stepObject(1), held),
    action(
      'attributes.previousObject',
      'desks.attributes.previousObject',
      'Shift+Tab',
      () => desk.stepObject(-1),
      held,
    ),
    action('attributes.type', 'desks.attributes.type', 'Enter', type),
    action('attributes.reset', 'desks.attributes.reset', 'Backspace', () => desk.reset()),
  ];
}
