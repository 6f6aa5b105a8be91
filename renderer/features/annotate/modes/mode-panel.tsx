import { AttributePanel } from './attributes/attribute-panel.tsx';
import type { Mode } from './mode.ts';
import { ReviewPanel } from './review/review-panel.tsx';
import { TagPanel } from './tags/tag-panel.tsx';

/** The inspector's first part in a mode that has one of its own. */
export function ModePanel({ mode }: { readonly mode: Mode }) {
  if (mode === 'review') return <ReviewPanel />;
  if (mode === 'attributes') return <AttributePanel />;
  return mode === 'tags' ? <TagPanel /> : null;
}
