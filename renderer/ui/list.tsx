import type { KeyboardEventHandler, ReactNode } from 'react';
import classes from './list.module.css';
import { LongList } from './long-list.tsx';

export type Part = string | null | undefined;

export const joined = (parts: readonly Part[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');

interface ListProps {
  readonly children: ReactNode;
  readonly onKeyDown?: KeyboardEventHandler | undefined;
}

export const List = ({ children, onKeyDown }: ListProps) => (
  // Explicit role, because some screen readers ignore lists without bullets.
  <LongList as="ul" role="list" rowHeight={53} onKeyDown={onKeyDown}>
    {children}
  </LongList>
);

interface ListHeadProps {
  /** Space before the text, by default that of an image. */
  readonly lead?: ReactNode;
  readonly name: string;
  readonly cells?: ReactNode;
  readonly before?: ReactNode;
  readonly className?: string;
  /** Has the width of the content after the rows' links. */
  readonly children?: ReactNode;
}

/** Visual column headers; screen readers get complete rows without them. */
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
  /** The full name, if the visible one may be truncated. */
  readonly title?: string | undefined;
  readonly mono?: boolean | undefined;
  readonly meta?: readonly Part[] | undefined;
  readonly metaTitle?: string | undefined;
  readonly note?: ReactNode;
}

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
  readonly lead?: ReactNode;
  readonly cells?: ReactNode;
  readonly renderLink?: (content: { readonly className: string; readonly children: ReactNode }) => ReactNode;
  readonly isSelected?: boolean;
  readonly before?: ReactNode;
  readonly children?: ReactNode;
}

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
  /** Shows up to eight lines, for reasons of failures. */
  readonly whole?: boolean;
}

export const RowNote = ({ text, title = text, failed = false, whole = false }: RowNoteProps) => (
  <div className={classes.meta} title={title} data-failed={failed || undefined} data-whole={whole || undefined}>
    {text}
  </div>
);

interface CellProps {
  /** Pixels; undefined shares the remaining width. */
  readonly width?: number | undefined;
  /** Narrowest window that shows it. */
  readonly from?: 'middle' | 'wide' | undefined;
  readonly end?: boolean;
  readonly title?: string | undefined;
  readonly children?: ReactNode;
}

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

export const Sign = ({ round = false, children }: { readonly round?: boolean; readonly children: ReactNode }) => (
  <div className={classes.sign} data-round={round || undefined} aria-hidden>
    {children}
  </div>
);
