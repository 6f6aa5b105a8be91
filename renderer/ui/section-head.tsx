import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionHeadProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Space below in pixels; none inside a stack. */
  readonly mb?: number;
}

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
