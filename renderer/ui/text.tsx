import { Text, type ElementProps, type TextProps } from '@mantine/core';

type Props = TextProps & ElementProps<'p', keyof TextProps>;

/** Text that stands back: what explains a part, or says that nothing is there. */
export const Dimmed = (props: Props) => <Text fz="sm" c="dimmed" {...props} />;

/** The same in small print: what a field or a value means. */
export const Hint = (props: Props) => <Text fz="xs" c="dimmed" {...props} />;

/** What several fields are called together: as the label of one. */
export const PartName = (props: Props) => <Text fz="sm" fw={500} {...props} />;

/** A name, a path or an address, letter by letter. */
export const Mono = (props: Props) => (
  <Text span ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }} {...props} />
);
