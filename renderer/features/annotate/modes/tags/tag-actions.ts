import { inGroup, type Action } from '../../../../canvas/actions.ts';
import type { AnnotateSession } from '../../session.ts';

/** Digits put and take tags. */
export function tagActions({ modes }: AnnotateSession): Action[] {
  const action = inGroup('mode');
  const { tags: desk } = modes;
  const extra = { scope: 'mode.tags', when: () => desk.isOn() } as const;
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
  return [
    ...numbers.map((number) =>
      action(`tags.toggle${number}`, 'desks.tags.number', [`Digit${number % 10}`], () => desk.toggleNumber(number), {
        ...extra,
        number,
      }),
    ),
    action('tags.removeLast', 'desks.tags.removeLast', ['Backspace'], desk.removeLast, extra),
  ];
}
