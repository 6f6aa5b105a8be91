import {
  createTheme,
  localStorageColorSchemeManager,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

/** The one accent: a calm blue that is legible on both grounds. */
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

/** Neutral greys, a little cool; the last four are the grounds of the dark theme. */
const dark: MantineColorsTuple = [
  '#d5d8de',
  '#aeb3bd',
  '#8b919d',
  '#646b78',
  '#434955',
  '#343944',
  '#282c35',
  '#1e2128',
  '#17191f',
  '#101217',
];

export const theme = createTheme({
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
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  components: {
    // Hints stand below their field.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Badge: { styles: { label: { fontWeight: 500 } } },
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', comboboxProps: { shadow: 'md' } } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false, fz: 'xs', position: 'bottom' } },
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 }, transitionProps: { duration: 100 } },
    },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
  },
});

/** Quiet text that is still legible: at least 4.5 to 1 on every ground of its theme. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59616d',
    '--mantine-color-placeholder': '#6f7683',
    '--mantine-color-error': '#c02626',
    '--mantine-color-red-text': '#c02626',
  },
  dark: {
    '--mantine-color-dimmed': '#a3aab6',
    '--mantine-color-placeholder': '#8f97a4',
    '--mantine-color-error': '#ff8080',
    '--mantine-color-red-text': '#ff8080',
  },
});

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'limner.color-scheme' });
