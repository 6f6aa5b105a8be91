import type { Label } from '../../../preload/contract/schema/labels.ts';
import { ColorSwatch, Group, Text } from '../../ui/kit.ts';

/** Labels to look at, not to edit. */
export const LabelChips = ({ labels }: { readonly labels: readonly Label[] }) => (
  <Group gap={16} role="list">
    {labels.map((label) => (
      <Group key={label.id} gap={6} role="listitem" wrap="nowrap" maw="100%">
        <ColorSwatch size={12} color={label.color} flex="none" />
        <Text fz="sm" truncate title={label.name}>
          {label.name}
        </Text>
      </Group>
    ))}
  </Group>
);
