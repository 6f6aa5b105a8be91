import { IconChevronDown } from '@tabler/icons-react';
import { useText } from '../../../../i18n/index.ts';
import { Button, Kbd, Menu } from '../../../../ui/kit.ts';
import { useAnnotate, useShortcuts, useWorkspace } from '../session-context.ts';
import { modes } from '../../model/types.ts';

export function ModeSwitch() {
  const t = useText();
  const { actions } = useWorkspace();
  const current = useAnnotate((state) => state.mode);
  const keyOf = useShortcuts();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          size="compact-sm"
          h={28}
          variant="default"
          rightSection={<IconChevronDown size={14} />}
          aria-label={t('modes.switch', { mode: t(`modes.names.${current}`) })}
          data-testid="mode"
          data-mode={current}
        >
          {t(`modes.names.${current}`)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {modes.map((mode) => (
          <Menu.Item
            key={mode}
            aria-current={mode === current}
            fw={mode === current ? 600 : 400}
            rightSection={<Kbd size="xs">{keyOf(`mode.${mode}`)}</Kbd>}
            onClick={() => actions.run(`mode.${mode}`)}
          >
            {t(`modes.names.${mode}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
