import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** A name, a path or an address, letter by letter. */
export const Mono = ({ children, ...props }: TextProps & { readonly children: ReactNode }) => (
  <Text span ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }} {...props}>
    {children}
  </Text>
);
