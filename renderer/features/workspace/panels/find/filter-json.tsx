import { useState } from 'react';
import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import { useText } from '../../../../i18n/index.ts';
import { Textarea } from '../../../../ui/kit.ts';
import { useSession } from '../session-context.ts';
import { useFilter } from './use-filter.ts';

/** The filter as editable text for exchange with other programs. Invalid text changes nothing. */
export function FilterJson() {
  const t = useText();
  const { find } = useSession();
  const logic = useFilter((state) => state.logic);
  /** Stores the filter that was active while typing: a filter activated elsewhere replaces the text. */
  const [typed, setTyped] = useState<{ readonly text: string; readonly logic: JsonLogic | null } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const problemOf = (given: string): string | null => {
    if (given.trim() === '') {
      find.filter.clear();
      return null;
    }
    try {
      return find.filter.use(JSON.parse(given));
    } catch (error) {
      if (error instanceof SyntaxError) return t('find.filter.noJson');
      throw error;
    }
  };
  const read = (given: string): void => {
    setProblem(problemOf(given));
    setTyped({ text: given, logic: find.filter.state.getState().logic });
  };
  const isTyped = typed !== null && typed.logic === logic;
  return (
    <Textarea
      size="xs"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      autosize
      minRows={6}
      maxRows={16}
      aria-label={t('find.filter.json')}
      placeholder='{"==": [{"var": "label"}, "car"]}'
      value={isTyped ? typed.text : logic === null ? '' : JSON.stringify(logic, null, 2)}
      error={problem === null || !isTyped ? null : t('find.filter.wrong', { problem })}
      spellCheck={false}
      onChange={read}
    />
  );
}
