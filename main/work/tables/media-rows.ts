export interface MediaRow {
  readonly id: number;
  readonly kind: 'images' | 'video';
  readonly size: number;
  readonly chunk_size: number;
  readonly image_quality: number;
  /** Compressed chunks of a video are ZIPs of images (1), or videos. */
  readonly zip_chunks: number;
  readonly start_frame: number;
  readonly stop_frame: number;
  readonly frame_filter: string;
  readonly sorting_method: string;
  readonly storage: 'local' | 'share';
  readonly video: string | null;
  readonly created_date: string;
  /** 1 while some frames have not been read: see `frame-preparation.ts`. */
  readonly unread: 0 | 1;
  /** Number of honeypots in each job; null for media without a validation pool. */
  readonly honeypots_per_job: number | null;
  /** Set if the images are objects of this cloud storage. */
  readonly cloud_storage_id: number | null;
}

export interface FrameRow {
  /** Task-relative, 0-based. */
  readonly frame: number;
  readonly name: string;
  /** Absolute path of media used in place, or `bucket:` with the key of an object. */
  readonly file: string | null;
  /** Identifies an image used in place: see `image-identity.ts`; or size and tag of an object: see `task-media.ts`. */
  readonly identity?: string | null;
  /** 0 before the file is read, and if it is not an image. */
  readonly width: number;
  readonly height: number;
  /** Sentence that tells why the file is not an image. */
  readonly problem?: string | null;
  /** Related (context) images, as relative names. */
  readonly related: readonly string[];
  /** Frame of the validation pool that a honeypot repeats. */
  readonly real_frame?: number | null;
}

/** True for a medium that was created by the names of its images, some of which have not been sent. */
export const awaitsImages = (media: Pick<MediaRow, 'kind' | 'storage' | 'cloud_storage_id' | 'unread'>): boolean =>
  media.unread === 1 && media.kind === 'images' && media.storage === 'local' && media.cloud_storage_id === null;

/** True if the frame has neither a size nor a problem: its file was not read, or not sent. */
export const isUnread = ({ width, problem }: Pick<FrameRow, 'width' | 'problem'>): boolean =>
  width === 0 && (problem ?? null) === null;

export function frameStep(filter: string): number {
  return Number(/^step=(\d+)$/.exec(filter)?.[1] ?? 1);
}

export const relatedColumn = ({ related }: FrameRow): string | null =>
  related.length === 0 ? null : JSON.stringify(related);

/** True if the frame's image was removed for good. A frame whose file is not an image has no size. */
export const isRemoved = ({ problem, width }: Pick<FrameRow, 'problem' | 'width'>): boolean =>
  (problem ?? null) !== null && width > 0;
