import { useState } from 'react';
import { areaTypes } from '../../../../canvas/shapes/shape-rings.ts';
import { useText } from '../../../../i18n/index.ts';
import { Button, Group, Popover, Slider, Stack, Text } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { useSession, useWorkspace } from '../session-context.ts';
import type { Simplifier } from '../../model/editing/shape-operations.ts';

const tolerances = { min: 0.5, max: 20, step: 0.5, initial: 2 } as const;

function Simplify() {
  const t = useText();
  const { operations } = useSession();
  const [simplifier, setSimplifier] = useState<Simplifier | null>(null);
  const [tolerance, setTolerance] = useState<number>(tolerances.initial);
  const open = (): void => {
    const made = operations.simplifier();
    made.show(tolerance);
    setSimplifier(made);
  };
  const close = (): void => {
    simplifier?.close();
    setSimplifier(null);
  };
  const keep = (): void => {
    simplifier?.keep(tolerance);
    setSimplifier(null);
  };
  const show = (next: number): void => {
    setTolerance(next);
    simplifier?.show(next);
  };
  return (
    <Popover opened={simplifier !== null} onChange={(opened) => !opened && close()} width={260} trapFocus withinPortal>
      <Popover.Target>
        <Button size="compact-xs" variant="default" onClick={() => (simplifier === null ? open() : close())}>
          {t('editing.simplify')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('editing.simplifyTitle')}>
        <Stack gap={8}>
          <Text fz="xs">{t('editing.tolerance')}</Text>
          <Slider
            size="sm"
            thumbLabel={t('editing.tolerance')}
            min={tolerances.min}
            max={tolerances.max}
            step={tolerances.step}
            value={tolerance}
            onChange={show}
          />
          <Text fz="xs" c="dimmed" data-testid="points-left">
            {t('editing.pointsLeft', { left: simplifier?.left(tolerance) ?? 0, of: simplifier?.of ?? 0 })}
          </Text>
          <Group justify="flex-end" gap={8}>
            <Button size="compact-xs" variant="default" onClick={close}>
              {t('common.cancel')}
            </Button>
            <Button size="compact-xs" onClick={keep}>
              {t('editing.keep')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

export function OperationButtons() {
  const t = useText();
  const { session, actions } = useWorkspace();
  const { operations } = session;
  return (
    <Group gap={4} onMouseDown={keepFocus}>
      {operations.canConvert() && (
        <Group gap={4} role="group" aria-label={t('editing.convert')}>
          <Text fz="xs" c="dimmed">
            {t('editing.convert')}
          </Text>
          {areaTypes
            .filter((type) => operations.canConvert(type))
            .map((type) => (
              <Button
                key={type}
                size="compact-xs"
                variant="default"
                aria-label={`${t('editing.convert')} ${t(`annotate.shape.${type}`)}`}
                onClick={() => actions.run(`edit.to.${type}`)}
              >
                {t(`annotate.shape.${type}`)}
              </Button>
            ))}
        </Group>
      )}
      {operations.canJoin() && (
        <Button size="compact-xs" variant="default" onClick={() => actions.run('edit.join')}>
          {t('editing.join')}
        </Button>
      )}
      {operations.canSimplify() && <Simplify />}
    </Group>
  );
}
