import { inGroup, type ActionOn } from '../../../canvas/action-table.ts';
import type { AnnotateSession } from '../model/session.ts';

const action = inGroup<AnnotateSession>('find');
const logicOf = ({ find }: AnnotateSession) => find.filter.state.getState().logic;
const match =
  (by: 1 | -1) =>
  (session: AnnotateSession): void => {
    const { filter, steps } = session.find;
    filter.remember();
    void steps.toMatch(logicOf(session), by);
  };

export const findActions: readonly ActionOn<AnnotateSession>[] = [
  action('filter.open', 'find.filter.open', ['KeyT KeyF'], ({ find: { filter } }) =>
    filter.setOpen(!filter.state.getState().open),
  ),
  action('filter.clear', 'find.filter.clear', ['KeyT KeyC'], ({ find }) => find.filter.clear(), {
    when: (session) => logicOf(session) !== null,
  }),
  action('find.nextMatch', 'find.steps.nextMatch', ['ArrowRight'], match(1), { repeats: true }),
  action('find.previousMatch', 'find.steps.previousMatch', ['ArrowLeft'], match(-1), { repeats: true }),
  action('find.nextEmpty', 'find.steps.nextEmpty', ['KeyT KeyE'], ({ find }) => void find.steps.toEmpty(1)),
  action(
    'find.previousEmpty',
    'find.steps.previousEmpty',
    ['KeyT Shift+KeyE'],
    ({ find }) => void find.steps.toEmpty(-1),
  ),
  action('find.nextIssue', 'find.steps.nextIssue', ['KeyT KeyI'], ({ find }) => void find.steps.toIssue(1)),
  action(
    'find.previousIssue',
    'find.steps.previousIssue',
    ['KeyT Shift+KeyI'],
    ({ find }) => void find.steps.toIssue(-1),
  ),
  action('find.search', 'find.search.title', ['Mod+KeyG'], ({ find }) => find.search.setState({ open: true })),
];
