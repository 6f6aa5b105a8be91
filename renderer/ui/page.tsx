import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react';
import { messageOf } from '../api/api-error.ts';
import { text as say } from '../i18n/index.ts';
import { formatNumber } from '../i18n/language.ts';
import classes from './page.module.css';

export function useWindowTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return;
    document.title = `${name} · Limner`;
    return () => {
      document.title = 'Limner';
    };
  }, [name]);
}

const Place = createContext('');
/** Name of the workspace (user or organization) shown above the page title. */
export const PlaceProvider = Place.Provider;

interface PageProps {
  readonly title: ReactNode;
  /** Plain text of the title, if it contains other content. */
  readonly name?: string;
  readonly crumbs?: ReactNode;
  readonly count?: number | undefined;
  readonly actions?: ReactNode;
  readonly strip?: ReactNode;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
  readonly column?: boolean;
}

export const Page = ({ title, name, crumbs, count, actions, strip, footer, children, column = false }: PageProps) => {
  const text = name ?? (typeof title === 'string' ? title : undefined);
  const place = useContext(Place);
  useWindowTitle(text);
  const way = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (way.current !== null) way.current.title = way.current.textContent;
  });
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div className={classes.heading}>
          <div ref={way} className={classes.crumbs}>
            {place}
            {crumbs !== undefined && (
              <>
                {' / '}
                <nav>{crumbs}</nav>
              </>
            )}
          </div>
          <div className={classes.line}>
            <Title order={1} className={classes.title ?? ''} title={text}>
              {title}
            </Title>
            {count !== undefined && <span className={classes.count}>{formatNumber(count)}</span>}
          </div>
        </div>
        {actions !== undefined && (
          <Group gap="sm" wrap="nowrap" flex="none">
            {actions}
          </Group>
        )}
      </header>
      {strip !== undefined && <div className={classes.strip}>{strip}</div>}
      <div className={classes.body} data-list={strip !== undefined || undefined}>
        <div className={classes.content} data-column={column || undefined}>
          {children}
        </div>
      </div>
      {footer !== undefined && <footer className={classes.footer}>{footer}</footer>}
    </div>
  );
};

interface EmptyProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

export const Empty = ({ icon, title, text, action }: EmptyProps) => (
  <Center className={classes.empty ?? ''}>
    <Stack align="center" gap="sm" maw={440}>
      <Text c="dimmed" component="div" lh={1}>
        {icon}
      </Text>
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" fz="sm" ta="center">
        {text}
      </Text>
      {action}
    </Stack>
  </Center>
);

export const PageLoader = ({ label }: { readonly label: string }) => (
  <Center mih={240} role="status" aria-label={label}>
    <Loader size="sm" />
  </Center>
);

interface ProblemProps {
  readonly title: string;
  /** A text or an error. */
  readonly message: unknown;
  readonly retry?: (() => unknown) | undefined;
  readonly retryLabel?: string;
}

export const Problem = ({ title, message, retry, retryLabel = say('common.retry') }: ProblemProps) => (
  <Alert
    className={classes.problem ?? ''}
    variant="default"
    icon={<IconAlertTriangle size={18} />}
    title={title}
    role="alert"
  >
    <Stack gap="sm" align="flex-start">
      <Text fz="sm">{messageOf(message)}</Text>
      {retry !== undefined && (
        <Button size="xs" variant="default" onClick={() => void retry()}>
          {retryLabel}
        </Button>
      )}
    </Stack>
  </Alert>
);
