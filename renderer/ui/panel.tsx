import { Fragment, type CSSProperties, type ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title?: ReactNode;
  readonly dense?: boolean;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

/** A group on a separate background; with a title it is a section of the page. */
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
  /** Minimum width of an item, pixels. */
  readonly least: number;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

export const Measures = ({ least, className, children }: MeasuresProps) => (
  <dl
    className={`${classes.measures} ${className}`}
    // React's types do not know custom CSS properties.
    style={{ '--measure-least': `${least}px` } as CSSProperties}
  >
    {children}
  </dl>
);

type Fact = readonly [name: string, value: ReactNode];

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly width?: number | string;
  readonly mono?: boolean;
  readonly testId?: string;
}

const isThere = (value: ReactNode): boolean => value !== null && value !== undefined && value !== '';

export const Facts = ({ facts, width = 120, mono = false, testId }: FactsProps) => (
  <dl
    className={classes.facts}
    // React's types do not know custom CSS properties.
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
