import { useState } from 'react';
import { useText } from '../../../../i18n/index.ts';
import { FormDialog } from '../../../../ui/form.tsx';
import { Menu } from '../../../../ui/kit.ts';
import { MenuAt } from '../../../../ui/menu-at.tsx';
import { useAnnotate, useSession } from '../session-context.ts';
import { FrameNumber } from '../tracks/frames-dialogs.tsx';
import type { KeyframeCommands } from './keyframe-commands.ts';
import { isOutAt, type FrameRange } from './timeline-view.ts';
import type { ChosenKeyframe, MenuPlace } from './use-timeline-pointer.ts';

interface KeyframeMenuProps {
  readonly place: MenuPlace;
  readonly range: FrameRange;
  readonly commands: KeyframeCommands;
  readonly onCopy: (keyframe: ChosenKeyframe) => void;
  readonly onClose: () => void;
}

/** Context menu of a keyframe or of an empty frame in a row. */
function KeyframeMenu({ place, range, commands, onCopy, onClose }: KeyframeMenuProps) {
  const t = useText();
  const { engine, navigator } = useSession();
  const deleted = useAnnotate((state) => state.deleted);
  const frame = useAnnotate((state) => state.wantedFrame);
  const { id, frame: at, isKeyframe } = place;
  const track = engine.tracks.get(id);
  if (track === undefined) return null;
  const isOut = isOutAt(track, at, range.last, deleted);
  const { locked } = track;
  const name = t(isKeyframe ? 'timeline.menu' : 'timeline.frameMenu', { frame: at });
  return (
    <MenuAt at={place} label={name} returnFocus onClose={onClose}>
      <Menu.Item disabled={at === frame} onClick={() => void navigator.goTo(at)}>
        {t('timeline.goHere')}
      </Menu.Item>
      {isKeyframe ? (
        <>
          <Menu.Item disabled={locked} onClick={() => commands.setOutside(id, at, !isOut)}>
            {t(isOut ? 'timeline.makeSeen' : 'timeline.makeOutside')}
          </Menu.Item>
          {at !== frame && (
            <Menu.Item disabled={locked} onClick={() => commands.copy(id, at, frame)}>
              {t('timeline.copyHere', { frame })}
            </Menu.Item>
          )}
          <Menu.Item disabled={locked} onClick={() => onCopy({ id, frame: at })}>
            {t('timeline.copyTo')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item disabled={locked} onClick={() => commands.remove(id, at)}>
            {t('timeline.removeKeyframe')}
          </Menu.Item>
        </>
      ) : (
        <Menu.Item disabled={locked} onClick={() => commands.set(id, at)}>
          {t('timeline.setHere')}
        </Menu.Item>
      )}
    </MenuAt>
  );
}

type CopyDialogProps = Pick<KeyframeMenuProps, 'range' | 'commands' | 'onClose'> & {
  readonly keyframe: ChosenKeyframe;
};
type KeyframeMenusProps = Omit<KeyframeMenuProps, 'place' | 'onCopy'> & { readonly place: MenuPlace | null };

export function KeyframeMenus({ place, ...props }: KeyframeMenusProps) {
  const [copied, setCopied] = useState<ChosenKeyframe | null>(null);
  const { range, commands } = props;
  return (
    <>
      {place !== null && <KeyframeMenu {...props} place={place} onCopy={setCopied} />}
      {copied !== null && (
        <CopyKeyframeDialog keyframe={copied} range={range} commands={commands} onClose={() => setCopied(null)} />
      )}
    </>
  );
}

function CopyKeyframeDialog({ keyframe: { id, frame }, range, commands, onClose }: CopyDialogProps) {
  const t = useText();
  const [to, setTo] = useState(Math.min(range.last, frame + 1));
  const copy = (): void => {
    commands.copy(id, frame, to);
    onClose();
  };
  return (
    <FormDialog
      title={t('timeline.copyTitle', { frame })}
      size="sm"
      submit={t('track.copy')}
      isReady={to !== frame}
      onSubmit={copy}
      onClose={onClose}
    >
      <FrameNumber label={t('timeline.copyFrame')} min={range.first} max={range.last} value={to} onChange={setTo} />
    </FormDialog>
  );
}
