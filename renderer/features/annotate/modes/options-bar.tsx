import type { RefObject } from 'react';
import { LabelBar } from '../labels/label-bar.tsx';
import { useAnnotate } from '../session-context.ts';
import { ReviewBar } from './review/review-bar.tsx';

/** Above the picture: what the mode is worked with. */
export const OptionsBar = ({ labelInput }: { readonly labelInput: RefObject<HTMLInputElement | null> }) =>
  useAnnotate((state) => state.mode) === 'review' ? <ReviewBar /> : <LabelBar input={labelInput} />;
