import { inGroup, type Action } from '../../../../canvas/actions.ts';
import type { AnnotateSession } from '../../session.ts';

/** Keys of the review: N an issue, brackets from one to the next, digits the quick ones. */
export function reviewActions({ review, store, metaOf }: AnnotateSession): Action[] {
  const action = inGroup('mode');
  const isOn = (): boolean => store.getState().mode === 'review';
  const extra = { scope: 'mode.review', when: isOn } as const;
  const size = () => metaOf(store.getState().frame) ?? { width: 0, height: 0 };
  const isOpen = (): boolean => {
    const { armed, draft, chosen } = review.state.getState();
    return armed !== null || draft !== null || chosen !== null;
  };
  const numbers = Array.from({ length: 7 }, (_, index) => index + 1);
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
    ...numbers.map((number) =>
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
