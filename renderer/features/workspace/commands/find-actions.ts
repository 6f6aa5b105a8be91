import { inGroup, type Action } from '../../../canvas/action-table.ts';
import type { AnnotateSession } from '../model/session.ts';

export function findActions({ find }: AnnotateSession): Action[] {
  const action = inGroup('find');
  const { filter, steps, search } = find;
  const logic = () => filter.state.getState().logic;
  const match = (by: 1 | -1) => (): void => {
    filter.remember();
    void steps.toMatch(logic(), by);
  };
  return [
    action('filter.open', 'find.filter.open', ['KeyT KeyF'], () => filter.setOpen(!filter.state.getState().open)),
    action('filter.clear', 'find.filter.clear', ['KeyT KeyC'], filter.clear, { when: () => logic() !== null }),
    action('find.nextMatch', 'find.steps.nextMatch', ['ArrowRight'], match(1), { repeats: true }),
    action('find.previousMatch', 'find.steps.previousMatch', ['ArrowLeft'], match(-1), { repeats: true }),
    action('find.nextEmpty', 'find.steps.nextEmpty', ['KeyT KeyE'], () => void steps.toEmpty(1)),
    action('find.previousEmpty', 'find.steps.previousEmpty', ['KeyT Shift+KeyE'], () => void steps.toEmpty(-1)),
    action('find.nextIssue', 'find.steps.nextIssue', ['KeyT KeyI'], () => void steps.toIssue(1)),
    action('find.previousIssue', 'find.steps.previousIssue', ['KeyT Shift+KeyI'], () => void steps.toIssue(-1)),
    action('find.search', 'find.search.title', ['Mod+KeyG'], () => search.setState({ open: true })),
  ];
}
