import { useText } from '../../i18n/index.ts';
import { Button, Group, Progress, Stack, Text } from '../../ui/kit.ts';

interface RunningViewProps {
  readonly text: string;
  readonly progress: number | null;
  readonly note?: string;
  readonly onCancel: () => void;
}

/** Progress of a dialog's long operation. */
export const RunningView = ({ text, progress, note, onCancel }: RunningViewProps) => {
  const t = useText();
  return (
    <Stack gap="sm">
      <Text fz="sm" aria-live="polite">
        {text}
      </Text>
      <Progress value={progress === null ? 100 : progress * 100} animated={progress === null} aria-label={text} />
      {note !== undefined && (
        <Text fz="xs" c="dimmed">
          {note}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      </Group>
    </Stack>
  );
};
