import type { MediaLocation } from './media-location.ts';
import type { LocalMedia, Skipped, UploadedFile } from './scan.ts';
import type { SortingMethod } from './sorting.ts';
import type { OpenSource } from './unpack.ts';
import type { VideoProbe, VideoReader } from './video/video.ts';

export interface PrepareRequest {
  readonly location: Pick<MediaLocation, 'directory'>;
  readonly uploads?: readonly UploadedFile[];
  readonly local?: LocalMedia;
  /** Copies local files into the task instead of using them in place. */
  readonly copy?: boolean;
  readonly sorting_method?: SortingMethod;
  readonly random_seed?: number;
  /** For `predefined`: names in the given order; files without a name in the list follow in natural order. */
  readonly upload_file_order?: readonly string[];
  /** First and last frame, counted after sorting (for a video: by decode order). */
  readonly start_frame?: number;
  readonly stop_frame?: number;
  /** `step=N`: every Nth frame. */
  readonly frame_filter?: string;
  /**
   * Places the files in this folder below `raw/`, beside the files of a task that has data. Only images are accepted,
   * because a video cannot be extended.
   */
  readonly into?: string;
  /** With `into`: every n-th frame of a video becomes an image. Without it, videos are skipped. */
  readonly every?: number;
  /** Replaces the files below `raw/` that a crashed attempt of the same request left. By default there must be none. */
  readonly replacesLeft?: boolean;
  /** Lists a folder of images instead of reading them, if it can: see {@link listImages}. */
  readonly opensEarly?: boolean;
  /** Throws for truncated or damaged images and videos, instead of using their readable part with a warning. */
  readonly refusesDamaged?: boolean;
}

export interface PrepareRun {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((fraction: number) => void) | undefined;
  readonly videos?: VideoReader | undefined;
  /** Opens archives; default: the limits of `formats/io/source.ts`. */
  readonly openSource?: OpenSource;
  /** Accepts images that need too much memory to be displayed. For backups, which must restore all images. */
  readonly keepsLarge?: boolean;
}

export interface RelatedFile {
  readonly path: string;
  readonly file: string;
}

export interface PreparedFrame {
  readonly path: string;
  /** Path below `raw/`, or absolute for a file used in place. */
  readonly file: string;
  /** Identity of a file used in place; null for others. */
  readonly identity: string | null;
  /** Upright pixels: after the EXIF orientation. 0 if the file was not read or is not an image. */
  readonly width: number;
  readonly height: number;
  /** Sentence that tells why the file of a listed frame is not an image. */
  readonly problem?: string | null;
  /** Context images: files in `related_images/<name with _ for .>/` beside the image. */
  readonly related_files: readonly RelatedFile[];
}

interface PreparedCommon {
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Skipped[];
  /** True if some `file` is absolute: the location needs `inPlace`. */
  readonly inPlace: boolean;
  /** Source-relative numbers of the first and last frame, and the step between frames. */
  readonly start_frame: number;
  readonly stop_frame: number;
  readonly frame_step: number;
}

export type PreparedMedia =
  | (PreparedCommon & {
      readonly kind: 'images';
      readonly frames: readonly PreparedFrame[];
      /** True if files of some frames have not been read. */
      readonly unread?: boolean;
      /** Set if the files are objects of a bucket. */
      readonly cloudStorageId?: number;
    })
  | (PreparedCommon & {
      readonly kind: 'video';
      readonly video: VideoProbe & RelatedFile;
      /** Index by decode order of each frame of the task. */
      readonly frame_indices: readonly number[];
    });
