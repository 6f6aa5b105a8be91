import { useStore } from 'zustand';
import { useSession } from '../session-context.ts';
import type { AttributeState } from './attributes/attribute-cursor.ts';
import type { ModeChoices } from './mode-choices.ts';
import type { SingleState } from './single/single-desk.ts';

export const useModeChoice = <Name extends keyof ModeChoices>(name: Name): ModeChoices[Name] =>
  useStore(useSession().modes.choices.state, (choices) => choices[name]);

export const useAttributes = <Value>(select: (state: AttributeState) => Value): Value =>
  useStore(useSession().modes.attributes.state, select);

export const useSingle = <Value>(select: (state: SingleState) => Value): Value =>
  useStore(useSession().modes.single.state, select);
