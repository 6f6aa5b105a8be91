import type { AnnotationSource, ShapeType } from '../../../preload/contract/schema/annotations.ts';

/**
 * A format plug-in's view of a task, or of the tasks of a project in sequence. Members are named as in CVAT's
 * specification. Labels and attributes are identified by name, never by id. Frame numbers are relative to the task
 * (0-based); `meta.start_frame` and `meta.frame_step` give the absolute ones.
 */
export interface TaskData {
  readonly meta: TaskMeta;
  readonly shapes: Iterable<LabeledShape>;
  /** Tracks with their keyframes, without those on deleted frames. */
  readonly tracks: Iterable<Track>;
  /** The same tracks frame by frame, for formats that write more than keyframes. */
  readonly drawn_tracks: Iterable<DrawnTrack>;
  readonly tags: Iterable<Tag>;
  /**
   * Frames in order, each with its shapes sorted by z_order. Interpolated track shapes are included, with `track_id`
   * and `keyframe`. Frames without annotations are included unless `include_empty` is false. Deleted frames are
   * excluded.
   */
  group_by_frame(include_empty?: boolean): Iterable<Frame>;
  /** Frames without their annotations, for lists of images. */
  readonly frames: Iterable<FrameInfo>;
  readonly frame_count: number;
  /** File of a frame: source bytes of an image, PNG of a video frame. Null if the media cannot be read. */
  frame_image(frame: FrameInfo): Promise<FrameImage | null>;
  /**
   * Frame of an image in a file: by path, by path without extension, by the end of the path (with one extra folder on
   * either side), or by number. Null if none matches. `size` is not needed.
   */
  match_frame(item: FrameMatch): number | null;
  /**
   * Messages about names for which {@link match_frame} found no unique frame. They are added to the report at the end.
   */
  match_notes?(): readonly string[];
  frame_info(frame: number): FrameInfo | undefined;
  label(name: string): LabelInfo | undefined;
  /**
   * Present if labels of the file can become labels of the project. Importers declare the labels that the file
   * describes before they add objects.
   */
  declare_label?(label: FileLabel): void;
  /**
   * Present if subsets of the file become tasks. Importers declare the file's subsets, because a subset may have only
   * images without objects.
   */
  declare_subset?(name: string): void;
  /** Present if images of the file become frames. Importers declare mask images, which do not become frames. */
  declare_mask?(path: string): void;
  /** Throws `LabelError` for an unknown label. Unknown attributes are dropped and reported. */
  add_tag(tag: Tag): void;
  add_shape(shape: LabeledShape): void;
  add_track(track: Track): void;
  /**
   * Present if objects are written by another thread. Importers of many objects await it regularly, to limit the queue.
   * Undefined: no need to wait.
   */
  backpressure?(): Promise<void> | undefined;
}

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** Points as stored: integers of 10^−exponent. */
export interface FixedPoints {
  /** Upper bound for the numbers of the shape, and so for the size of the target. */
  readonly capacity: number;
  /** Number of coordinates, all finite, if known without reading them. */
  readonly count?: number;
  /** True if all pairs are equal and that is known without decoding. */
  isOnePoint?(): boolean;
  /** Fills the target; null if the numbers have no such form and only `points` gives them. */
  read(target: Int32Array): { readonly count: number; readonly exponent: number } | null;
}

export interface LabeledShape {
  readonly type: ShapeType;
  readonly frame: number;
  readonly label: string;
  readonly points: readonly number[];
  /**
   * The numbers of `points` for writers of decimal digits, which avoids doubles. If present, `points` may be a getter
   * that decodes. A spread copy (`...`) loses getters, so copy `points` explicitly. Both are shared buffers: those of
   * an added shape are valid until `add_shape` returns.
   */
  readonly fixed_points?: FixedPoints;
  readonly occluded: boolean;
  readonly attributes: readonly Attribute[];
  /** 0: no group. */
  readonly group: number;
  readonly z_order: number;
  readonly rotation?: number;
  readonly source?: AnnotationSource;
  readonly outside?: boolean;
  readonly score?: number;
  readonly elements?: readonly LabeledShape[];
  /** Area in pixels² stated by the file. Kept until the shape changes, so that an export restores it. */
  readonly area?: number;
  /** Task of the frame number, in a project. */
  readonly task_id?: number;
  /** Set on interpolated shapes that `group_by_frame` creates from tracks. */
  readonly track_id?: number;
  readonly keyframe?: boolean;
}

export interface TrackedShape {
  readonly type: ShapeType;
  readonly points: readonly number[];
  readonly occluded: boolean;
  readonly frame: number;
  readonly attributes: readonly Attribute[];
  readonly outside: boolean;
  readonly keyframe: boolean;
  readonly z_order: number;
  readonly rotation?: number;
}

export interface Track {
  readonly label: string;
  readonly group: number;
  readonly shapes: readonly TrackedShape[];
  readonly source?: AnnotationSource;
  readonly attributes?: readonly Attribute[];
  readonly elements?: readonly Track[];
  /** Task of the frame numbers, in a project. */
  readonly task_id?: number;
}

/** Shape of a track on one frame, with all attributes. Elements of an outside skeleton are outside too. */
export interface TrackFrame extends TrackedShape {
  readonly elements: readonly (TrackedShape & { readonly label: string })[];
}

export interface DrawnTrack {
  readonly track: Track;
  /** Shapes on every frame where the track is visible, and keyframes where it is not. */
  frames(): Iterable<TrackFrame>;
}

export interface Tag {
  readonly frame: number;
  readonly label: string;
  readonly attributes: readonly Attribute[];
  readonly group: number;
  readonly source?: AnnotationSource;
  readonly task_id?: number;
}

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export interface FrameInfo extends ImageSize {
  readonly frame: number;
  /** Path relative to the task's media root, with `/`. Video frames are `frame_%06d`. */
  readonly name: string;
  readonly subset: string;
  readonly task_id: number;
}

export interface Frame extends FrameInfo {
  readonly labeled_shapes: readonly LabeledShape[];
  readonly tags: readonly Tag[];
}

/** File of a frame, to stream from `path` or as bytes. `extension` includes its dot. */
export interface FrameImage {
  readonly extension: string;
  readonly path?: string;
  readonly bytes?: Uint8Array;
  /** True if the image differs from the one that was annotated. */
  readonly isReplaced?: boolean;
}

export interface FrameMatch {
  /** Image path or item id in the file. */
  readonly name?: string;
  readonly frame?: number;
  /** Frames of this subset are tried first, because two subsets of a project may have the same path. */
  readonly subset?: string;
  /** Path of the annotation file in its source. Of several equal matches, the nearest frame is used. */
  readonly near?: string;
  /** True for another name of the same image, or a guessed one. A miss is not reported. */
  readonly isGuess?: boolean;
}

export interface LabelInfo {
  readonly name: string;
  readonly color: string;
  readonly type: string;
  readonly attributes: readonly {
    readonly name: string;
    readonly mutable: boolean;
    readonly input_type: string;
    readonly default_value: string;
    readonly values: readonly string[];
  }[];
  readonly sublabels: readonly LabelInfo[];
  readonly svg?: string;
}

export type FileLabel = Pick<LabelInfo, 'name'> & Partial<Omit<LabelInfo, 'name'>>;

export interface TaskMeta {
  readonly kind: 'task' | 'job' | 'project';
  readonly id: number;
  readonly name: string;
  readonly mode: 'annotation' | 'interpolation' | '';
  readonly size: number;
  readonly overlap: number;
  readonly bug_tracker: string;
  readonly created_date: string;
  readonly updated_date: string;
  readonly subset: string;
  /** First and last frame relative to the source, and the step between frames. */
  readonly start_frame: number;
  readonly stop_frame: number;
  readonly frame_step: number;
  readonly frame_filter: string;
  readonly segments: readonly {
    readonly id: number;
    readonly start: number;
    readonly stop: number;
    readonly url: string;
  }[];
  readonly owner: { readonly username: string; readonly email: string } | null;
  readonly assignee: { readonly username: string; readonly email: string } | null;
  readonly labels: readonly LabelInfo[];
  /** Name of the video file, empty for image sets. */
  readonly source: string;
  /** Tasks of a project, each with its own meta; empty for a task or job. */
  readonly tasks: readonly TaskMeta[];
  readonly dumped: string;
}
