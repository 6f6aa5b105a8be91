import type { ReactNode } from 'react';
import { CodeView } from './code-view.tsx';
import classes from './code-view.module.css';

/** Colouring longer texts costs more than it helps. */
const longestColored = 100_000;
const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Formatted JSON; undefined for other text. */
export function prettyJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text) as unknown, null, 2);
  } catch {
    return undefined;
  }
}

function colored(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon] = match;
    const kind = colon !== undefined ? classes.key : quoted !== undefined ? classes.text : classes.value;
    const shown = colon === undefined ? whole : quoted;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(
      <span key={match.index} className={kind}>
        {shown}
      </span>,
    );
    end = match.index + (shown ?? '').length;
  }
  parts.push(text.slice(end));
  return parts;
}

interface JsonViewProps {
  readonly text: string;
  readonly label: string;
  readonly maxHeight?: number;
}

export const JsonView = ({ text, label, maxHeight }: JsonViewProps) => {
  const pretty = prettyJson(text);
  return (
    <CodeView label={label} wrap maxHeight={maxHeight}>
      {pretty === undefined ? text : pretty.length > longestColored ? pretty : colored(pretty)}
    </CodeView>
  );
};
