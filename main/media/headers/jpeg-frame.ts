import type { HeaderReader } from './header-reader.ts';

export interface JpegFrame {
  /** C0–CF; 0 if there is none. */
  readonly marker: number;
  /** Samples of each channel per unit (MCU): 4, 1, 1 for colours at half the resolution. */
  readonly sampling: readonly number[];
}

const maxSegments = 2000;
const noFrame: JpegFrame = { marker: 0, sampling: [] };
const startOfScan = 0xda;

export async function findJpegFrame(reader: HeaderReader): Promise<JpegFrame> {
  let offset = 2;
  for (let segment = 0; segment < maxSegments; segment += 1) {
    const head = await reader.at(offset, 10 + 4 * 3);
    const marker = head[1] ?? 0;
    if (head.length < 4 || marker === startOfScan) return noFrame;
    if (head[0] !== 0xff || marker === 0xff) {
      offset += 1;
    } else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { marker, sampling: samplingOf(head) };
    } else {
      const standsAlone = (marker >= 0xd0 && marker <= 0xd9) || marker === 0x01;
      offset += standsAlone ? 2 : 2 + Math.max(2, head.readUInt16BE(2));
    }
  }
  return noFrame;
}

function samplingOf(head: Buffer): number[] {
  return Array.from({ length: Math.min(4, head[9] ?? 0) }, (_, index) => {
    const factors = head[11 + 3 * index] ?? 0x11;
    return Math.max(1, factors >> 4) * Math.max(1, factors & 15);
  });
}
