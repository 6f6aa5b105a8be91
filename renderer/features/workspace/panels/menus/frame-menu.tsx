import {
  IconBan,
  IconClipboard,
  IconClipboardPlus,
  IconEye,
  IconLock,
  IconMaximize,
  IconMessagePlus,
  IconSelectAll,
  IconTag,
} from '@tabler/icons-react';
import { useText } from '../../../../i18n/index.ts';
import { Menu } from '../../../../ui/kit.ts';
import { MenuAt } from '../../../../ui/menu-at.tsx';
import { useAnnotate, useSession } from '../session-context.ts';
import { ActionRow, menuIcon, type MenuProps } from './menu-rows.tsx';

/** Frame menu, for a position without an object. */
export function FrameMenu(place: MenuProps) {
  const t = useText();
  const { review, metaOf } = useSession();
  const frame = useAnnotate((state) => state.frame);
  const isDeleted = useAnnotate(({ deleted }) => deleted.has(frame));
  const { width, height } = metaOf(frame) ?? { width: 1, height: 1 };
  return (
    <MenuAt {...place} width={272} label={t('annotate.frameMenu.title', { frame })}>
      <ActionRow action="edit.paste" icon={IconClipboard} />
      <ActionRow action="edit.pasteInPlace" icon={IconClipboardPlus} />
      <ActionRow action="edit.selectAll" icon={IconSelectAll} />
      <Menu.Divider />
      <ActionRow action="object.lockAll" icon={IconLock} />
      <ActionRow action="object.hideAll" icon={IconEye} />
      <ActionRow action="view.fit" icon={IconMaximize} />
      <Menu.Divider />
      <ActionRow action="label.tag" icon={IconTag} />
      <Menu.Item
        leftSection={menuIcon(IconMessagePlus)}
        onClick={() => review.place({ left: 0, top: 0, right: width, bottom: height })}
      >
        {t('annotate.objectMenu.issue')}
      </Menu.Item>
      <ActionRow
        action="frame.delete"
        icon={IconBan}
        name={t(isDeleted ? 'annotate.frameMenu.restore' : 'annotate.frameMenu.delete')}
        danger={!isDeleted}
      />
    </MenuAt>
  );
}
