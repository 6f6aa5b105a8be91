import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import type { EngineStatus } from '../../../../preload/contract/schema/functions.ts';
import { useText } from '../../../i18n/index.ts';
import { CodeBlock } from '../../../shared/code/code-view.tsx';
import { Alert, Box, Hint, Mono, SmallButton, Stack, Text } from '../../../ui/kit.ts';
import { commandsIn } from './engine-commands.ts';

interface EngineNoticeProps {
  readonly engine: EngineStatus;
  readonly isLooking: boolean;
  readonly onLook: () => void;
  /** Without the commands, which the list of functions shows. */
  readonly isCompact?: boolean;
}

export function EngineNotice({ engine, isLooking, onLook, isCompact = false }: EngineNoticeProps) {
  const t = useText();
  const { state, message, socket } = engine;
  return (
    <Alert
      variant="default"
      mb={isCompact ? 0 : 'md'}
      role="status"
      icon={<IconPlugConnectedX size={18} color="var(--limner-warning)" />}
      title={t(`modelEngine.title.${state}`)}
    >
      <Stack gap={10} align="flex-start">
        <Text fz="sm">{message}</Text>
        {(isCompact ? [] : commandsIn(message)).map((command) => (
          <Box key={command} w="100%" maw={560}>
            <CodeBlock text={command} label={command} copyLabel={t('modelEngine.copyCommand')} />
          </Box>
        ))}
        {!isCompact && (
          <Hint>
            {t('modelEngine.socket')} <Mono>{socket}</Mono> · {t('modelEngine.elsewhere')}
          </Hint>
        )}
        <SmallButton leftSection={<IconRefresh size={14} />} loading={isLooking} onClick={onLook}>
          {t('modelEngine.look')}
        </SmallButton>
      </Stack>
    </Alert>
  );
}
