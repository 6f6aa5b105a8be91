import { useMemo, type CSSProperties } from 'react';
import { readMarkdown, type Block, type Inline, type Item } from './markdown.ts';
import classes from './markdown.module.css';

const Run = ({ of: run }: { readonly of: Inline }) => {
  switch (run.kind) {
    case 'text':
      return run.text;
    case 'code':
      return <code>{run.text}</code>;
    case 'strong':
    case 'emphasis': {
      const Element = run.kind === 'strong' ? 'strong' : 'em';
      return (
        <Element>
          <Runs of={run.of} />
        </Element>
      );
    }
    case 'link':
      return (
        <a href={run.href} target="_blank" rel="noreferrer">
          <Runs of={run.of} />
        </a>
      );
    case 'image':
      return <img src={run.source} alt={run.alt} />;
  }
};

/** Blocks and runs are parsed again with each text, so their index is a valid key. */
const Runs = ({ of: runs }: { readonly of: readonly Inline[] }) =>
  runs.map((run, index) => <Run key={index} of={run} />);

const Entry = ({ item: { depth, number, of } }: { readonly item: Item }) => (
  // React's types lack custom properties.
  <li style={{ '--depth': depth } as CSSProperties} data-bullet={number === null} value={number ?? undefined}>
    <Runs of={of} />
  </li>
);

const Part = ({ block }: { readonly block: Block }) => {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'quote': {
      // The panel's heading is the second level of the page.
      const heading = block.kind !== 'heading' ? null : block.level <= 1 ? 'h3' : block.level === 2 ? 'h4' : 'h5';
      const Element = heading ?? (block.kind === 'quote' ? 'blockquote' : 'p');
      return (
        <Element>
          <Runs of={block.of} />
        </Element>
      );
    }
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item, index) => (
            <Entry key={index} item={item} />
          ))}
        </List>
      );
    }
    case 'code':
      return (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys
        <pre tabIndex={0}>{block.text}</pre>
      );
    case 'table':
      return (
        <table className={classes.table}>
          <thead>
            <tr>
              {block.columns.map(({ side, of }, index) => (
                <th key={index} scope="col" align={side}>
                  <Runs of={of} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((of, index) => (
                  <td key={index} align={block.columns[index]?.side ?? 'left'}>
                    <Runs of={of} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    case 'rule':
      return <hr />;
  }
};

/** Renders Markdown safely: no scripts, and no images from other servers. */
export function MarkdownView({ markdown }: { readonly markdown: string }) {
  const blocks = useMemo(() => readMarkdown(markdown), [markdown]);
  return (
    <div className={classes.text}>
      {blocks.map((block, index) => (
        <Part key={index} block={block} />
      ))}
    </div>
  );
}
