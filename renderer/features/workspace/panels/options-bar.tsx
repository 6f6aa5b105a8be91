import { FilterButton } from './find/filter-button.tsx';
import find from './find/find.module.css';
import { LabelBar } from './labels/label-bar.tsx';
import { useAnnotate } from './session-context.ts';
import { AttributeBar } from './modes/attribute-bar.tsx';
import { ReviewBar } from './review/review-bar.tsx';
import { SingleBar } from './modes/single-bar.tsx';
import { TagBar } from './modes/tag-panel.tsx';

export function OptionsBar() {
  const mode = useAnnotate((state) => state.mode);
  return (
    <div className={find.options}>
      <div className={find.bar}>
        {mode === 'standard' && <LabelBar />}
        {mode === 'review' && <ReviewBar />}
        {mode === 'attributes' && <AttributeBar />}
        {mode === 'tags' && <TagBar />}
        {mode === 'single' && <SingleBar />}
      </div>
      <FilterButton />
    </div>
  );
}
