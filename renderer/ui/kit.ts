/** Mantine components that screens use directly. Components with program-wide defaults have their own file here. */
export {
  ActionIcon,
  Alert,
  Anchor,
  Autocomplete,
  Badge,
  Box,
  Button,
  Code,
  ColorInput,
  ColorPicker,
  ColorSwatch,
  Combobox,
  CopyButton,
  FileButton,
  Group,
  Kbd,
  Loader,
  Menu,
  MultiSelect,
  Pagination,
  Popover,
  Progress,
  Radio,
  ScrollArea,
  SegmentedControl,
  Select,
  SimpleGrid,
  RangeSlider,
  Slider,
  Stack,
  Table,
  Tabs,
  TagsInput,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
  VisuallyHidden,
  useCombobox,
  useMantineColorScheme as useColorScheme,
} from '@mantine/core';
export { QuietButton, SmallButton } from './buttons.tsx';
export { Modal } from './dialog.tsx';
export { Checkbox, ChoiceField, PasswordInput, Switch, Textarea, TextInput } from './fields.tsx';
export { NumberInput } from './number-input.tsx';
export { Dimmed, Hint, Mono, PartName } from './text.tsx';
export { useDebouncedValue, useDisclosure, useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks';
