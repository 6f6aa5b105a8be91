import type { KeyboardEventHandler, ReactNode } from 'react';
import classes from './list.module.css';

export type Part = string | null | undefined;

/** What is there of some facts, on one line. */
export const joined = (parts: readonly Part[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');

interface ListProps {
  readonly children: ReactNode;
  readonly onKeyDown?: KeyboardEventHandler<HTMLUListElement>;
}

/** Rows below each other. */
export const List = ({ children, onKeyDown }: ListProps) => (
  // With its role: some readers take lists without bullets for none.
  <ul role="list" onKeyDown={onKeyDown}>
    {children}
  </ul>
);

interface ListHeadProps {
  /** Room before the text: that of a picture, unless it is said otherwise. */
  readonly lead?: ReactNode;
  readonly name: string;
  readonly cells?: ReactNode;
  /** In front of all: what can be done with the column of boxes. */
  readonly before?: ReactNode;
  readonly className?: string;
  /** As wide as what stands behind the rows' links. */
  readonly children?: ReactNode;
}

/** Names of the columns, for the eye: what rows say needs no head to be understood. */
export const ListHead = (props: ListHeadProps) => {
  const { lead = <span className={classes.lead} />, name, cells, before, className = '', children } = props;
  return (
    <div className={`${classes.head} ${className}`}>
      {before}
      <div className={classes.link} aria-hidden>
        {lead}
        <div className={classes.text}>{name}</div>
        {cells}
      </div>
      {children !== undefined && (
        <div className={classes.tail} aria-hidden>
          {children}
        </div>
      )}
    </div>
  );
};

interface RowTextProps {
  readonly name: ReactNode;
  /** The whole name, where its line may cut it. */
  readonly title?: string | undefined;
  readonly mono?: boolean | undefined;
  readonly meta?: readonly Part[] | undefined;
  readonly metaTitle?: string | undefined;
  /** Below both. */
  readonly note?: ReactNode;
}

/** What something is called, and a line about it. */
export const RowText = ({ name, title, mono = false, meta = [], metaTitle, note }: RowTextProps) => {
  const facts = joined(meta);
  return (
    <div className={classes.text}>
      <div className={classes.name} title={title} data-mono={mono || undefined}>
        {name}
      </div>
      {facts !== '' && <RowNote text={facts} title={metaTitle} />}
      {note}
    </div>
  );
};

interface RowProps extends RowTextProps {
  /** Before the text: a picture, a sign, a state. */
  readonly lead?: ReactNode;
  /** Behind the text: short facts. */
  readonly cells?: ReactNode;
  /** Makes one link of lead, text and cells. */
  readonly renderLink?: (content: { readonly className: string; readonly children: ReactNode }) => ReactNode;
  readonly isSelected?: boolean;
  /** Outside of the link: before it, and what can be done behind it. */
  readonly before?: ReactNode;
  readonly children?: ReactNode;
}

/** One thing of a list: what it is called, a line about it, and what can be done with it. */
export function Row({ lead, cells, renderLink, isSelected = false, before, children, ...text }: RowProps) {
  const content = (
    <>
      {lead}
      <RowText {...text} />
      {cells}
    </>
  );
  return (
    <li className={classes.row} data-selected={isSelected || undefined}>
      {before}
      {renderLink === undefined ? content : renderLink({ className: classes.link ?? '', children: content })}
      {children}
    </li>
  );
}

interface RowNoteProps {
  readonly text: string;
  readonly title?: string | undefined;
  readonly failed?: boolean;
  /** Why something failed is read where it stands: up to eight lines of it. */
  readonly whole?: boolean;
}

/** A line below the name. */
export const RowNote = ({ text, title = text, failed = false, whole = false }: RowNoteProps) => (
  <div className={classes.meta} title={title} data-failed={failed || undefined} data-whole={whole || undefined}>
    {text}
  </div>
);

interface CellProps {
  /** In pixels; without one it shares what the text leaves. */
  readonly width?: number | undefined;
  /** The narrowest window that has room for it. */
  readonly from?: 'middle' | 'wide' | undefined;
  /** For numbers. */
  readonly end?: boolean;
  readonly title?: string | undefined;
  readonly children?: ReactNode;
}

/** A short fact of a row, below the name of its column. */
export const Cell = ({ width, from, end = false, title, children }: CellProps) => (
  <div
    className={classes.cell}
    style={width === undefined ? undefined : { width }}
    data-share={width === undefined || undefined}
    data-from={from}
    data-end={end || undefined}
    title={title}
  >
    {children}
  </div>
);

/** An icon or initials in front of a row. */
export const Sign = ({ round = false, children }: { readonly round?: boolean; readonly children: ReactNode }) => (
  <div className={classes.sign} data-round={round || undefined} aria-hidden>
    {children}
  </div>
);
