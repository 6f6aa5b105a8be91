import type { RefObject } from 'react';
import { FilterButton } from '../find/filter/filter-button.tsx';
import find from '../find/find.module.css';
import { LabelBar } from '../labels/label-bar.tsx';
import { useAnnotate } from '../session-context.ts';
import { ReviewBar } from './review/review-bar.tsx';

/** Above the picture: what the mode is worked with, and which objects are shown. */
export function OptionsBar({ labelInput }: { readonly labelInput: RefObject<HTMLInputElement | null> }) {
  const mode = useAnnotate((state) => state.mode);
  return (
    <div className={find.options}>
      <div className={find.bar}>{mode === 'review' ? <ReviewBar /> : <LabelBar input={labelInput} />}</div>
      <FilterButton />
    </div>
  );
}
