/**
 * True if no other frame of an H.264 stream refers to this one (`nal_ref_idc` of its slices is 0), so that a decoder
 * can skip it. False for other codecs and for streams without NAL unit lengths.
 */
export function createDisposableCheck({ codec, description }: VideoDecoderConfig): (packet: Uint8Array) => boolean {
  if (!codec.startsWith('avc') || description === undefined) return () => false;
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  const lengthSize = ((bytes[4] ?? 3) & 3) + 1;
  return (packet) => {
    for (let at = 0; at + lengthSize < packet.length;) {
      let length = 0;
      for (let byte = 0; byte < lengthSize; byte += 1) length = length * 256 + (packet[at + byte] ?? 0);
      const header = packet[at + lengthSize] ?? 0;
      const type = header & 31;
      if (type >= 1 && type <= 5) return (header & 0x60) === 0;
      at += lengthSize + length;
    }
    return false;
  };
}
