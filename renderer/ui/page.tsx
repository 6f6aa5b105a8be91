import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import classes from './page.module.css';

/** What the window, its tab and the history are called while a screen is open. */
export function useWindowTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return;
    document.title = `${name} · Limner`;
    return () => {
      document.title = 'Limner';
    };
  }, [name]);
}

interface PageProps {
  readonly title: ReactNode;
  /** The title as text, where it is more than that. */
  readonly name?: string;
  readonly crumbs?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** For fields and text: no wider than is easily read. */
  readonly column?: boolean;
}

/** A screen: its heading with its actions on the right, and its content below, on the same left edge as all others. */
export const Page = ({ title, name, crumbs, actions, children, column = false }: PageProps) => {
  const text = name ?? (typeof title === 'string' ? title : undefined);
  useWindowTitle(text);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div className={classes.heading}>
          {/* Takes its line where it is empty, too: titles stand at one height. */}
          <div className={classes.crumbs}>{crumbs !== undefined && <nav>{crumbs}</nav>}</div>
          <Title order={1} className={classes.title ?? ''} title={text}>
            {title}
          </Title>
        </div>
        {actions !== undefined && (
          <Group gap="sm" wrap="nowrap" flex="none">
            {actions}
          </Group>
        )}
      </header>
      <div className={classes.body} data-column={column || undefined}>
        {children}
      </div>
    </div>
  );
};

interface EmptyProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/** An empty list says what belongs here and what to do. */
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
  readonly message: string;
  readonly retry?: { readonly label: string; readonly run: () => void } | undefined;
}

/** Something failed: what, why, and a way on. */
export const Problem = ({ title, message, retry }: ProblemProps) => (
  <Alert
    className={classes.problem ?? ''}
    variant="default"
    icon={<IconAlertTriangle size={18} />}
    title={title}
    role="alert"
  >
    <Stack gap="sm" align="flex-start">
      <Text fz="sm">{message}</Text>
      {retry !== undefined && (
        <Button size="xs" variant="default" onClick={retry.run}>
          {retry.label}
        </Button>
      )}
    </Stack>
  </Alert>
);
