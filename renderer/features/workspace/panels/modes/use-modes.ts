import { useStore } from 'zustand';
import type { AttributeState } from '../../model/modes/attribute-cursor.ts';
import type { ModeChoices } from '../../model/modes/mode-choices.ts';
import type { SingleState } from '../../model/modes/single-controller.ts';
import { useSession } from '../session-context.ts';

export const useModeChoice = <Name extends keyof ModeChoices>(name: Name): ModeChoices[Name] =>
  useStore(useSession().modes.choices.state, (choices) => choices[name]);

export const useAttributes = <Value>(select: (state: AttributeState) => Value): Value =>
  useStore(useSession().modes.attributes.state, select);

export const useSingle = <Value>(select: (state: SingleState) => Value): Value =>
  useStore(useSession().modes.single.state, select);
