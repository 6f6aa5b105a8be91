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
