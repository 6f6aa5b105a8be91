import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionHeadProps {
  readonly title: string;
  /** What the part is for, in a sentence or two. */
  readonly children?: ReactNode;
  /** What can be done with the whole part. */
  readonly action?: ReactNode;
  /** Space below, in pixels: none where the part's pieces are spaced by a stack. */
  readonly mb?: number;
}

/** The head of one part of a page. */
export const SectionHead = ({ title, children, action, mb = children === undefined ? 4 : 12 }: SectionHeadProps) => (
  <Group justify="space-between" wrap="nowrap" align="flex-start" mb={mb}>
    <div>
      <Title order={2} mb={4}>
        {title}
      </Title>
      {children !== undefined && (
        <Text fz="sm" c="dimmed" maw={640}>
          {children}
        </Text>
      )}
    </div>
    {action}
  </Group>
);
