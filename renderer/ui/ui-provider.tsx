import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { colorSchemeManager, cssVariables, theme } from './theme.ts';

/** Theme, dialogs and notifications for everything inside. */
export const UiProvider = ({ children }: { readonly children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    colorSchemeManager={colorSchemeManager}
    defaultColorScheme="auto"
  >
    <Notifications position="bottom-right" limit={4} zIndex={1000} />
    <ModalsProvider>{children}</ModalsProvider>
  </MantineProvider>
);
