import { inGroup, type Action } from '../../../../canvas/actions.ts';
import type { AnnotateSession } from '../../session.ts';

const attributeInput = '[data-attribute-input] input';

/** Digits are values, up and down lead from attribute to attribute, Tab from object to object. */
export function attributeActions({ modes }: AnnotateSession): Action[] {
  const action = inGroup('mode');
  const { attributes: desk } = modes;
  const extra = { scope: 'mode.attributes', when: () => desk.isReady() } as const;
  const steps = { ...extra, repeats: true };
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
  return [
    ...numbers.map((number) =>
      action(
        `attributes.value${number}`,
        'desks.attributes.valueNumber',
        [`Digit${number % 10}`],
        () => desk.setNumber(number),
        { ...extra, number },
      ),
    ),
    action('attributes.next', 'desks.attributes.next', ['ArrowDown'], () => desk.step(1), steps),
    action('attributes.previous', 'desks.attributes.previous', ['ArrowUp'], () => desk.step(-1), steps),
    action('attributes.nextObject', 'desks.attributes.nextObject', ['Tab'], () => desk.stepObject(1), steps),
    action(
      'attributes.previousObject',
      'desks.attributes.previousObject',
      ['Shift+Tab'],
      () => desk.stepObject(-1),
      steps,
    ),
    action(
      'attributes.type',
      'desks.attributes.type',
      ['Enter'],
      () => document.querySelector<HTMLInputElement>(attributeInput)?.focus(),
      extra,
    ),
    action('attributes.reset', 'desks.attributes.reset', ['Backspace'], desk.reset, extra),
  ];
}
