import { inGroup, type Action } from '../../../../canvas/actions.ts';
import type { AnnotateSession } from '../../session.ts';

/** Digits choose the label; all else is the armed tool's. */
export function singleActions({ modes }: AnnotateSession): Action[] {
  const action = inGroup('mode');
  const { single: desk } = modes;
  const numbers = Array.from({ length: 9 }, (_, index) => index + 1);
  return numbers.map((number) =>
    action(`single.label${number}`, 'desks.single.number', [`Digit${number}`], () => desk.chooseNumber(number), {
      scope: 'mode.single',
      when: () => desk.isOn(),
      number,
    }),
  );
}
