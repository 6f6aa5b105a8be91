import type { ImageFormat } from './headers/image-header.ts';

/** Image format by a file's first bytes, independent of its name; undefined for other files. */
export function imageFormatOf(head: Buffer): ImageFormat | undefined {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg';
  const ascii = head.toString('latin1', 0, 16);
  if (ascii.startsWith('\u0089PNG\r\n\u001a\n')) return 'png';
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'gif';
  if (ascii.startsWith('RIFF') && ascii.startsWith('WEBP', 8)) return 'webp';
  if (/^(II[*+]\0|MM\0[*+])/.test(ascii)) return 'tiff';
  if (isIsoFile(ascii) && /^(avif|avis)/.test(ascii.slice(8))) return 'avif';
  // Two letters are weak evidence, so the size of the inner header is also checked.
  if (ascii.startsWith('BM') && head.length >= 18 && head.readUInt32LE(14) >= 12 && head.readUInt32LE(14) <= 124)
    return 'bmp';
  return undefined;
}

function isIsoFile(ascii: string): boolean {
  return ascii.startsWith('ftyp', 4);
}

/** Files that start like TIFF but whose first image is only a preview. */
export function isCameraRaw(name: string): boolean {
  return /\.(dng|nef|nrw|cr2|cr3|arw|sr2|srw|pef|orf|rw2|raf|3fr|iiq|erf|mef|mos|rwl)$/i.test(name);
}

export function isVideoContent(head: Buffer): boolean {
  const ascii = head.toString('latin1');
  if (isIsoFile(ascii)) return !isStillImageBrand(ascii.slice(8));
  if (ascii.startsWith('RIFF')) return ascii.startsWith('AVI ', 8);
  if (head[0] === 0x47 && head[188] === 0x47) return true;
  return videoSignatures.some((signature) => ascii.startsWith(signature));
}

/** Matroska, Flash, Ogg, Windows Media, MXF, MPEG programme stream and video, raw H.264 and H.265, raw frames. */
const videoSignatures = [
  '\u001aE\u00df\u00a3',
  'FLV\u0001',
  'OggS',
  '0&\u00b2u\u008ef\u00cf\u0011',
  '\u0006\u000e+4',
  '\u0000\u0000\u0001\u00ba',
  '\u0000\u0000\u0001\u00b3',
  '\u0000\u0000\u0000\u0001',
  '\u0000\u0000\u0001g',
  'YUV4MPEG2',
  'DKIF',
];

/** Brands of HEIF, whose still images use the container of MP4. */
function isStillImageBrand(brand: string): boolean {
  return /^(hei[cfmsx]|hev[cmx]|mif1|msf1|avif|avis|crx)/.test(brand);
}

export function isArchiveName(name: string): boolean {
  return /\.(zip|tar|tgz|tar\.gz)$/i.test(name);
}

/** Signatures of files that users add beside images; each `found` completes "x is not an image: it …". */
const otherSignatures: readonly { readonly at: number; readonly ascii: string; readonly found: string }[] = [
  { at: 0, ascii: '%PDF', found: 'is a PDF document' },
  { at: 0, ascii: 'PK\u0003\u0004', found: 'is a ZIP archive or an office document' },
  { at: 0, ascii: '\u001f\u008b', found: 'is a gzip file' },
  { at: 0, ascii: '7z\u00bc\u00af', found: 'is a 7-Zip archive' },
  { at: 0, ascii: 'Rar!', found: 'is a RAR archive' },
  { at: 257, ascii: 'ustar', found: 'is a TAR archive' },
  { at: 128, ascii: 'DICM', found: 'is a DICOM file, which is not supported; save it as PNG or TIFF' },
  { at: 0, ascii: '8BPS', found: 'is a Photoshop document; save it as PNG or TIFF' },
  {
    at: 0,
    ascii: '\u0000\u0000\u0000\u000cjP',
    found: 'is a JPEG 2000 image, which is not supported; save it as PNG or TIFF',
  },
  {
    at: 0,
    ascii: '\u0000\u0000\u0000\u000cJXL',
    found: 'is a JPEG XL image, which is not supported; save it as PNG or JPEG',
  },
  { at: 0, ascii: '\u00ff\u000a', found: 'is a JPEG XL image, which is not supported; save it as PNG or JPEG' },
  { at: 0, ascii: 'II\u00bc', found: 'is a JPEG XR image, which is not supported; save it as PNG or TIFF' },
  { at: 0, ascii: '\u0000\u0000\u0001\u0000', found: 'is a Windows icon; save it as PNG' },
  { at: 0, ascii: '\u0000\u0000\u0002\u0000', found: 'is a TGA image, which is not supported; save it as PNG' },
  { at: 0, ascii: '\u0000\u0000\u000a\u0000', found: 'is a TGA image, which is not supported; save it as PNG' },
  { at: 0, ascii: '\n\u0005\u0001\u0008', found: 'is a PCX image, which is not supported; save it as PNG' },
  { at: 0, ascii: 'SIMPLE  =', found: 'is a FITS image, which is not supported; save it as TIFF' },
  { at: 0, ascii: '\u00ffO\u00ffQ', found: 'is a JPEG 2000 image, which is not supported; save it as PNG or TIFF' },
  { at: 0, ascii: 'v/1\u0001', found: 'is an OpenEXR image, which is not supported; save it as TIFF' },
  { at: 0, ascii: '\u001aE\u00df\u00a3', found: 'is a Matroska or WebM video' },
  { at: 8, ascii: 'AVI ', found: 'is an AVI video' },
  { at: 0, ascii: 'SQLite format 3', found: 'is a database' },
];

/** A clause that describes the content of a file that is not an image: "is empty", "starts like text"… */
export function describeContent(head: Buffer): string {
  if (head.length === 0) return 'is empty';
  const ascii = head.toString('latin1');
  if (isIsoFile(ascii)) {
    if (isStillImageBrand(ascii.slice(8))) {
      return 'is a HEIC photograph, which is not supported; save it as JPEG or PNG';
    }
    return 'is an MP4 or QuickTime video';
  }
  for (const signature of otherSignatures) {
    if (ascii.startsWith(signature.ascii, signature.at)) return signature.found;
  }
  if (/^P[1-7]\s/.test(ascii)) return 'is a PNM image, which is not supported; save it as PNG';
  if (head.every((byte) => byte === 0)) return 'contains only zeros, like an interrupted download';
  const text = textOf(head);
  if (text === undefined) return `starts with ${head.subarray(0, 4).toString('hex')}, which no known image format does`;
  if (/<svg[\s/>]/i.test(text)) return 'is an SVG drawing; save it as PNG';
  if (/^\s*<(!doctype html|html)/i.test(text)) return 'is a web page, like a failed download';
  if (/^\s*<\?xml/i.test(text)) return 'starts like XML';
  if (text.startsWith('version https://git-lfs')) return 'is a Git LFS pointer; fetch the real file with git lfs pull';
  return 'starts like text';
}

/** The bytes as text, or undefined if they are not printable UTF-8 (an incomplete last character is allowed). */
function textOf(head: Buffer): string | undefined {
  const start = head.subarray(0, 512);
  const text = new TextDecoder('utf-8').decode(start, { stream: true });
  // oxlint-disable-next-line no-control-regex -- control characters are what tells binary data from text
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/.test(text) ? undefined : text;
}
