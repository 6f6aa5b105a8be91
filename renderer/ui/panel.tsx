import { Fragment, type CSSProperties, type ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title?: ReactNode;
  /** For short things beside each other. */
  readonly dense?: boolean;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

/** What belongs together, on a ground of its own. With a title it is a section of the page. */
export const Panel = ({ title, dense = false, className = '', children }: PanelProps) => {
  const Element = title === undefined ? 'div' : 'section';
  return (
    <Element className={`${classes.panel} ${className}`} data-dense={dense || undefined}>
      {title !== undefined && <h2 className={classes.title}>{title}</h2>}
      {children}
    </Element>
  );
};

interface MeasuresProps {
  /** The least width of one, in pixels. */
  readonly least: number;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** Numbers beside each other: each a `div` of its name and its values. */
export const Measures = ({ least, className, children }: MeasuresProps) => (
  <dl
    className={`${classes.measures} ${className}`}
    // React's properties know no variables.
    style={{ '--measure-least': `${least}px` } as CSSProperties}
  >
    {children}
  </dl>
);

type Fact = readonly [name: string, value: ReactNode];

interface FactsProps {
  readonly facts: readonly Fact[];
  /** Of the names; as any width of a grid. */
  readonly width?: number | string;
  readonly mono?: boolean;
  readonly testId?: string;
}

const isThere = (value: ReactNode): boolean => value !== null && value !== undefined && value !== '';

/** Names with their values, one a line. Those without a value are left out. */
export const Facts = ({ facts, width = 120, mono = false, testId }: FactsProps) => (
  <dl
    className={classes.facts}
    // React's properties know no variables.
    style={{ '--facts-name': typeof width === 'number' ? `${width}px` : width } as CSSProperties}
    data-mono={mono || undefined}
    data-testid={testId}
  >
    {facts
      .filter(([, value]) => isThere(value))
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
);
