import { useText } from '../../../i18n/index.ts';
import { Menu } from '../../../ui/kit.ts';
import { MenuAt } from '../../../ui/menu-at.tsx';
import { useAnnotate, useSession } from '../session-context.ts';

export interface FrameMenuPlace {
  readonly frame: number;
  readonly x: number;
  readonly y: number;
}

/** What can be done with a frame, where the pointer or the menu key asked for it. */
export function FrameMenu({ place, onClose }: { readonly place: FrameMenuPlace; readonly onClose: () => void }) {
  const t = useText();
  const { frame } = place;
  const { navigator: frames, deletedFrames, metaOf } = useSession();
  const shown = useAnnotate((state) => state.wantedFrame);
  const isDeleted = useAnnotate(({ deleted }) => deleted.has(frame));
  const name = metaOf(frame)?.name ?? '';
  return (
    <MenuAt at={place} label={t('timeline.frameMenu', { frame })} position="top-start" onClose={onClose}>
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
    </MenuAt>
  );
}
