import {
  createTheme,
  type CSSVariablesResolver,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect, type ReactNode } from 'react';
import { keepComposedKeys } from './composition.ts';
import classes from './theme.module.css';

/** The accent colour: a calm blue that is legible on both themes. */
const ink: MantineColorsTuple = [
  '#eef2fd',
  '#dbe3f8',
  '#b5c5f0',
  '#8ca5e8',
  '#6a89e0',
  '#5276da',
  '#426bd6',
  '#3257c9',
  '#284cb2',
  '#1b3f9c',
];

/** Cool neutral greys; the last four are the backgrounds of the dark theme. */
const dark: MantineColorsTuple = [
  '#e4e7ec',
  '#a3aab6',
  '#949cab',
  '#6b7280',
  '#454c5a',
  '#2a2f39',
  '#22262f',
  '#1a1d23',
  '#16181d',
  '#0f1115',
];

/** Buttons and fields are 32 pixels high, 28 in dense layouts. */
const heightOf = (size: unknown): string | undefined => (size === 'sm' ? '32px' : size === 'xs' ? '28px' : undefined);

const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  colors: { ink, dark },
  fontFamily: '"Inter Variable", system-ui, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '0.875rem', lineHeight: '1.25rem' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.25rem' },
    },
  },
  components: {
    // Help texts are below their field.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Badge: { styles: { label: { fontWeight: 500 } } },
    Button: {
      defaultProps: { size: 'sm' },
      vars: (_theme: unknown, { size }: { readonly size?: unknown }) => {
        const height = heightOf(size);
        return { root: height === undefined ? {} : { '--button-height': height, '--button-padding-x': '14px' } };
      },
    },
    Input: {
      vars: (_theme: unknown, { size }: { readonly size?: unknown }) => {
        const height = heightOf(size);
        return { wrapper: height === undefined ? {} : { '--input-height': height } };
      },
      classNames: { wrapper: classes.field },
    },
    Tabs: { classNames: { list: classes.tabs, tab: classes.tab } },
    // Mantine's grey below a title has too little contrast.
    Notification: { classNames: { description: classes.message } },
    TextInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', comboboxProps: { shadow: 'md' } } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false, fz: 'xs', position: 'bottom' } },
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 }, transitionProps: { duration: 100 } },
      classNames: { content: classes.dialog, header: classes.dialog },
    },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
  },
});

/** Maps Mantine's colours to those of `styles/base.css`, which differ by theme. */
const ofAdministration = {
  '--mantine-color-body': 'var(--limner-surface)',
  '--mantine-color-text': 'var(--limner-text)',
  '--mantine-color-dimmed': 'var(--limner-dimmed)',
  '--mantine-color-placeholder': 'var(--limner-faint)',
  '--mantine-color-anchor': 'var(--limner-accent-text)',
  '--mantine-color-error': 'var(--limner-failure)',
  '--mantine-color-red-text': 'var(--limner-failure)',
};
const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: ofAdministration, dark: ofAdministration });

const colorSchemeManager = localStorageColorSchemeManager({ key: 'limner.color-scheme' });

export const UiProvider = ({ children }: { readonly children: ReactNode }) => {
  useEffect(() => keepComposedKeys(window), []);
  return (
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
};
