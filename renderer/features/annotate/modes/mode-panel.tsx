import type { Mode } from './mode.ts';
import { ReviewPanel } from './review/review-panel.tsx';

/** The inspector's first part in a mode that has one of its own. */
export const ModePanel = ({ mode }: { readonly mode: Mode }) => (mode === 'review' ? <ReviewPanel /> : null);
