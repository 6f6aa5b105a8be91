import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode, Ref, UIEventHandler } from 'react';
import { useText } from '../../i18n/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CopyButton } from '../../ui/kit.ts';
import classes from './code-view.module.css';

export function CopyIconButton({ value, label }: { readonly value: string; readonly label: string }) {
  const t = useText();
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <IconButton
          label={copied ? t('common.copied') : label}
          size="sm"
          icon={copied ? <IconCheck size={15} /> : <IconCopy size={15} stroke={1.5} />}
          onClick={copy}
        />
      )}
    </CopyButton>
  );
}

interface CodeViewProps {
  readonly label: string;
  /** Wraps long lines instead of scrolling. */
  readonly wrap?: boolean;
  readonly role?: 'region' | 'log';
  readonly height?: string | undefined;
  readonly maxHeight?: number | undefined;
  readonly ref?: Ref<HTMLDivElement>;
  readonly onScroll?: UIEventHandler<HTMLDivElement>;
  readonly children: ReactNode;
}

/** Code or output. Focusable, so that overflow can be scrolled by keys. */
export const CodeView = (props: CodeViewProps) => {
  const { label, wrap = false, role = 'region', height, maxHeight, ref, onScroll, children } = props;
  return (
    <div
      ref={ref}
      className={classes.view}
      style={{ height, maxHeight }}
      data-wrap={wrap || undefined}
      role={role}
      aria-label={label}
      {...(role === 'log' ? { 'aria-live': 'off' } : {})}
      tabIndex={0}
      onScroll={onScroll}
    >
      {children}
    </div>
  );
};

interface CodeBlockProps {
  readonly text: string;
  readonly label: string;
  readonly copyLabel: string;
  readonly wrap?: boolean;
}

export const CodeBlock = ({ text, label, copyLabel, wrap = false }: CodeBlockProps) => (
  <div className={classes.frame}>
    <CodeView label={label} wrap={wrap}>
      {text}
    </CodeView>
    <div className={classes.copy}>
      <CopyIconButton value={text} label={copyLabel} />
    </div>
  </div>
);

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
