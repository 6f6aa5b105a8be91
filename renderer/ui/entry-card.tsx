import { Button, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './entry-card.module.css';

interface EntryCardProps {
  readonly title: string;
  readonly text: string;
  readonly submit: string;
  readonly onSubmit: () => void;
  readonly isBusy: boolean;
  readonly isReady: boolean;
  readonly other: ReactNode;
  readonly children: ReactNode;
}

export const EntryCard = (props: EntryCardProps) => {
  const { title, text, submit, onSubmit, isBusy, isReady, other, children } = props;
  return (
    <main className={classes.ground}>
      <form
        className={classes.card}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onSubmit();
        }}
      >
        <Stack gap="md">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <div>
            <Title order={1}>{title}</Title>
            <Text c="dimmed" fz="sm" mt={4}>
              {text}
            </Text>
          </div>
          {children}
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {submit}
          </Button>
          <div className={classes.other}>{other}</div>
        </Stack>
      </form>
    </main>
  );
};
