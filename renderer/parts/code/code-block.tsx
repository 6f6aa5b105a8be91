import { CopyIconButton } from './copy-icon-button.tsx';
import classes from './code-block.module.css';

interface CodeBlockProps {
  readonly text: string;
  /** What the text is: its name for the copy button and for assistive technology. */
  readonly label: string;
  readonly copyLabel: string;
  /** Breaks long lines instead of scrolling. */
  readonly wrap?: boolean;
}

/** Text for a program, with a button that copies all of it. */
export const CodeBlock = ({ text, label, copyLabel, wrap = false }: CodeBlockProps) => (
  <div className={classes.block}>
    {/* Reached by Tab, so that long lines can be scrolled by keys. */}
    <pre className={classes.text} data-wrap={wrap || undefined} tabIndex={0} aria-label={label} role="region">
      {text}
    </pre>
    <div className={classes.copy}>
      <CopyIconButton value={text} label={copyLabel} />
    </div>
  </div>
);
