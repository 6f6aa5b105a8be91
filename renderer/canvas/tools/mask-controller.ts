import { withoutMask } from '../geometry/mask-algebra.ts';
import { isDrawn } from '../scene.ts';
import type { Box, ClientId, DraftShape, RecordChange } from '../types.ts';
import { createMaskSession, selectedMask, type MaskSession } from './mask-session.ts';
import type { ToolHost } from './tool-host.ts';
import { emptyToolView, type ToolView } from './tool.ts';

/** Painting needs six bytes per image pixel, including display and undo. */
const mostPixels = 120_000_000;

/**
 * The mask being painted: the selected one, else a new one. Brush, eraser and the two polygon tools share it until it
 * is finished.
 */
export function createMaskController() {
  let session: MaskSession | null = null;

  const end = (host: ToolHost, outcome: 'done' | 'cancelled'): void => {
    session = null;
    host.refresh('active');
    host.drawEnded(outcome);
  };

  /** The current or a new mask; erasing requires a mask. Null if refused. */
  const begin = (host: ToolHost, erases: boolean): MaskSession | null => {
    if (session !== null) return session;
    const { width, height } = host.imageSize();
    if (width * height > mostPixels) {
      host.refuse('canvas.refused.tooLargeToPaint', { limit: mostPixels / 1e6 });
      return null;
    }
    const edited = selectedMask(host);
    if (edited === null && erases) {
      host.refuse('canvas.refused.nothingToErase');
      return null;
    }
    if (edited === null && host.newShape('mask', { points: [] }) === null) return null;
    session = createMaskSession(host, edited);
    host.drawStarted();
    return session;
  };

  return {
    session: () => session,
    begin,
    /** False if there was nothing to finish, or the mask cannot be created and the user was notified. */
    finish(host: ToolHost): boolean {
      const change = session?.change() ?? null;
      if (session === null || change === 'refused') return false;
      // Ends the session first, because the command selects the mask and must not find it being painted.
      end(host, change === null ? 'cancelled' : 'done');
      if (change === null) return true;
      const { clientId, before, after } = change;
      const below = after !== null && host.options().takeBelow === true ? masksBelow(host, clientId, after.points) : [];
      if (before === null && after !== null) host.create(after, below);
      else host.commit({ kind: after === null ? 'delete' : 'mask', changes: [change, ...below] });
      return true;
    },
    cancel(host: ToolHost): boolean {
      if (session === null) return false;
      end(host, 'cancelled');
      return true;
    },
    /** Undoes one stroke; undoing the first one discards the session. */
    takeBack(host: ToolHost): boolean {
      if (session === null) return false;
      if (session.takeBack()) host.refresh('active');
      else end(host, 'cancelled');
      return true;
    },
    setAgain(host: ToolHost): boolean {
      const isSet = session?.setAgain() ?? false;
      host.refresh('active');
      return isSet;
    },
    draft(): DraftShape | null {
      const points = session?.points() ?? null;
      if (session === null || points === null) return null;
      return { points, isComplete: true, ...(session.edited === null ? {} : { edited: session.edited.clientId }) };
    },
    resume(host: ToolHost, { points, edited }: DraftShape): void {
      const mask = edited === undefined ? null : (host.scene.getShape(edited) ?? null);
      if (session !== null || (edited !== undefined && mask?.type !== 'mask')) return;
      session = createMaskSession(host, mask);
      session.resume(points);
      host.drawStarted();
      host.refresh('active');
    },
    fillHoles(host: ToolHost): boolean {
      if (session === null) return false;
      session.fillHoles();
      host.refresh('active');
      return true;
    },
    placeBox(host: ToolHost, { left, top, right, bottom }: Box, erases: boolean): void {
      const corners = [left, top, right, top, right, bottom, left, bottom];
      begin(host, erases)?.polygon(corners, erases ? 0 : 1);
      host.refresh('active');
    },
    view(host: ToolHost): ToolView {
      const waiting = selectedMask(host) === null ? 'canvas.hint.paint' : 'canvas.hint.paintSelected';
      return {
        ...emptyToolView,
        painting: session?.view() ?? null,
        hidden: session?.edited === undefined || session.edited === null ? [] : [session.edited.clientId],
        hint: session === null ? waiting : 'canvas.hint.painting',
      };
    },
  };
}

export type MaskController = ReturnType<typeof createMaskController>;

/**
 * Removes the mask's pixels from other masks of the frame. An empty mask is deleted; that of a track becomes outside.
 */
function masksBelow(host: ToolHost, own: ClientId, points: readonly number[]): RecordChange[] {
  return host.scene.all().flatMap((before): RecordChange[] => {
    const { clientId } = before;
    if (clientId === own || !isDrawn(before) || before.type !== 'mask' || before.locked) return [];
    const left = withoutMask(before.points, points);
    if (left === before.points) return [];
    if (left !== null) return [{ clientId, before, after: { ...before, points: left } }];
    return [{ clientId, before, after: before.trackId === undefined ? null : { ...before, outside: true } }];
  });
}
