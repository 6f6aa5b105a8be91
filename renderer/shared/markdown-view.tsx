import MarkdownIt, { type Token } from 'markdown-it';
import { Fragment, useMemo, type ReactNode } from 'react';
import classes from './markdown.module.css';

const parser = new MarkdownIt({ linkify: true });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
/** Only navigation, no executable URLs. */
parser.validateLink = (href) => /^(https?:\/\/|mailto:|#)/i.test(href) || /^\/(?![/\\]|%5c)/i.test(href);

/** Only images of this service, because another server would learn who reads. */
const isOwnImage = (source: string): boolean => /^\/api\/assets\/[\w-]+$/.test(source);

/** Element of each tag. The headings start below that of the panel, which is the second level of the page. */
const elements = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h5',
  h5: 'h5',
  h6: 'h5',
  p: 'p',
  blockquote: 'blockquote',
  ul: 'ul',
  li: 'li',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  strong: 'strong',
  em: 'em',
  s: 's',
} as const;
const isKnown = (tag: string): tag is keyof typeof elements => Object.hasOwn(elements, tag);

const Link = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
);

function elementOf(token: Token, key: number, children: readonly ReactNode[]): ReactNode {
  const { tag } = token;
  const attribute = (name: string): string => String(token.attrGet(name) ?? '');
  const side = /^text-align:(left|center|right)$/.exec(attribute('style'))?.[1];
  // Paragraphs of an item without blank lines.
  if (token.hidden) return <Fragment key={key}>{children}</Fragment>;
  if (tag === 'a') {
    return (
      <Link key={key} href={attribute('href')}>
        {children}
      </Link>
    );
  }
  if (tag === 'ol') {
    return (
      <ol key={key} start={Number(attribute('start') || 1)}>
        {children}
      </ol>
    );
  }
  if (tag === 'th' || tag === 'td') {
    const Cell = tag;
    return (
      <Cell key={key} scope={tag === 'th' ? 'col' : undefined} align={side as 'left' | undefined}>
        {children}
      </Cell>
    );
  }
  const Element = isKnown(tag) ? elements[tag] : Fragment;
  return <Element key={key}>{children}</Element>;
}

function leafOf(token: Token, key: number): ReactNode {
  const { type, content } = token;
  switch (type) {
    case 'inline':
      return <Fragment key={key}>{nodesOf(token.children ?? [])}</Fragment>;
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'hr':
      return <hr key={key} />;
    case 'code_inline':
      return <code key={key}>{content}</code>;
    case 'code_block':
    case 'fence':
      return (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys
        <pre key={key} tabIndex={0}>
          {content.replace(/\n$/, '')}
        </pre>
      );
    case 'image': {
      const source = String(token.attrGet('src') ?? '');
      if (isOwnImage(source)) return <img key={key} src={source} alt={content} />;
      return (
        <Link key={key} href={source}>
          {content === '' ? source : content}
        </Link>
      );
    }
    default:
      return content;
  }
}

/** Only the elements above; everything else, including HTML, is text. */
function nodesOf(tokens: readonly Token[]): readonly ReactNode[] {
  const done: ReactNode[] = [];
  const open: { readonly token: Token; readonly around: ReactNode[] }[] = [];
  let nodes = done;
  for (const [key, token] of tokens.entries()) {
    if (token.nesting === 1) {
      open.push({ token, around: nodes });
      nodes = [];
    } else if (token.nesting === 0) nodes.push(leafOf(token, key));
    else {
      const opened = open.pop();
      if (opened === undefined) continue;
      opened.around.push(elementOf(opened.token, key, nodes));
      nodes = opened.around;
    }
  }
  return done;
}

/** Renders Markdown safely: no scripts, and no images from other servers. */
export function MarkdownView({ markdown }: { readonly markdown: string }) {
  const nodes = useMemo(() => nodesOf(parser.parse(markdown, {})), [markdown]);
  return <div className={classes.text}>{nodes}</div>;
}
