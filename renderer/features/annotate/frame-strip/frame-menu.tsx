import { useText } from '../../../i18n/index.ts';
import { Menu } from '../../../ui/kit.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import classes from './frame-strip.module.css';

export interface FrameMenuPlace {
  readonly frame: number;
  readonly x: number;
  readonly y: number;
}

interface FrameMenuProps {
  readonly place: FrameMenuPlace;
  readonly onClose: () => void;
}

/** What can be done with a frame, where the pointer or the menu key asked for it. */
export function FrameMenu({ place: { frame, x, y }, onClose }: FrameMenuProps) {
  const t = useText();
  const { navigator: frames, deletedFrames, metaOf } = useSession();
  const shown = useAnnotate((state) => state.wantedFrame);
  const isDeleted = useAnnotate(({ deleted }) => deleted.has(frame));
  const name = metaOf(frame)?.name ?? '';
  return (
    <Menu opened onClose={onClose} position="top-start" withinPortal offset={2} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('timeline.frameMenu', { frame })}
          className={classes.menuPlace}
          style={{ left: x, top: y }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('timeline.frameMenu', { frame })}</Menu.Label>
        <Menu.Item disabled={frame === shown} onClick={() => void frames.goTo(frame)}>
          {t('timeline.goHere')}
        </Menu.Item>
        <Menu.Item onClick={() => void deletedFrames.toggle(frame)}>
          {t(isDeleted ? 'strip.restore' : 'strip.delete')}
        </Menu.Item>
        <Menu.Item
          disabled={name === '' || !window.isSecureContext}
          onClick={() => void navigator.clipboard.writeText(name)}
        >
          {t('strip.copyName')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
