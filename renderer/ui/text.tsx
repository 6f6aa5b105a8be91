import { Text, type ElementProps, type TextProps } from '@mantine/core';

type Props = TextProps & ElementProps<'p', keyof TextProps>;

/** Secondary text: explanations and empty states. */
export const Dimmed = (props: Props) => <Text fz="sm" c="dimmed" {...props} />;

export const Hint = (props: Props) => <Text fz="xs" c="dimmed" {...props} />;

export const PartName = (props: Props) => <Text fz="sm" fw={500} {...props} />;

export const Mono = (props: Props) => (
  <Text span ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }} {...props} />
);
