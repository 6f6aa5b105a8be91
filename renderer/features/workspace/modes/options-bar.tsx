import type { RefObject } from 'react';
import { FilterButton } from '../find/filter/filter-button.tsx';
import find from '../find/find.module.css';
import { LabelBar } from '../labels/label-bar.tsx';
import { useAnnotate } from '../session-context.ts';
import { AttributeBar } from './attributes/attribute-bar.tsx';
import { ReviewBar } from './review/review-bar.tsx';
import { SingleBar } from './single/single-bar.tsx';
import { TagBar } from './tags/tag-panel.tsx';

export function OptionsBar({ labelInput }: { readonly labelInput: RefObject<HTMLInputElement | null> }) {
  const mode = useAnnotate((state) => state.mode);
  return (
    <div className={find.options}>
      <div className={find.bar}>
        {mode === 'standard' && <LabelBar input={labelInput} />}
        {mode === 'review' && <ReviewBar />}
        {mode === 'attributes' && <AttributeBar />}
        {mode === 'tags' && <TagBar />}
        {mode === 'single' && <SingleBar />}
      </div>
      <FilterButton />
    </div>
  );
}
