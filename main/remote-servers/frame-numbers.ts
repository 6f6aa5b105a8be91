import type { LabeledData } from '../../preload/contract/schema/annotations.ts';
import { AppError } from '../platform/errors.ts';
import type { LinkRow } from './remote-repository.ts';

/** Converts between the frame numbers of the server's task and those of the local one. */
export function createFrameNumbers({ first_frame: first, frames }: Pick<LinkRow, 'first_frame' | 'frames'>) {
  const listed = frames === null ? null : (JSON.parse(frames) as number[]);
  const positions = new Map(listed?.map((frame, position) => [frame, position]));
  function toLocal(frame: number): number {
    const local = listed === null ? frame - first : positions.get(frame);
    if (local !== undefined && local >= 0) return local;
    throw new AppError('conflict', `The server has annotations on frame ${frame}, which the job does not have.`);
  }
  const toRemote = (frame: number): number => (listed === null ? frame + first : (listed[frame] ?? frame));
  return {
    toLocal,
    toRemote,
    dataToLocal: (data: LabeledData): LabeledData => withFrames(data, toLocal),
    dataToRemote: (data: LabeledData): LabeledData => withFrames(data, toRemote),
  };
}

function withFrames(data: LabeledData, of: (frame: number) => number): LabeledData {
  const moved = <Item extends { readonly frame: number }>(item: Item): Item => ({ ...item, frame: of(item.frame) });
  const part = <Part extends { readonly frame: number; readonly shapes: readonly { readonly frame: number }[] }>(
    track: Part,
  ) => ({ ...moved(track), shapes: track.shapes.map(moved) });
  return {
    ...data,
    tags: data.tags.map(moved),
    shapes: data.shapes.map((shape) => ({ ...moved(shape), elements: shape.elements.map(moved) })),
    tracks: data.tracks.map((track) => ({ ...part(track), elements: track.elements.map(part) })),
  };
}
