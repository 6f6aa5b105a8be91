import type { AnnotationSource, ShapeType } from '../../../preload/contract/schema/annotations.ts';

/**
 * What a format plug-in sees of a task (or of a project: its tasks one after another).
 * Members are named as the specification names them; labels and attributes are known by name, never by id.
 * Frame numbers are task-relative (0-based); `meta.start_frame` and `meta.frame_step` give the absolute ones.
 */
export interface TaskData {
  readonly meta: TaskMeta;
  /** Plain shapes, in frame order. */
  readonly shapes: Iterable<LabeledShape>;
  /** Their keyframes, but for those on deleted frames, which do not count. */
  readonly tracks: Iterable<Track>;
  /** The same tracks, frame by frame: for formats that write more of a track than its keyframes. */
  readonly drawn_tracks: Iterable<DrawnTrack>;
  readonly tags: Iterable<Tag>;
  /**
   * Frames in order, each with its shapes sorted by z_order; interpolated shapes of tracks appear as labeled shapes
   * with `track_id` and `keyframe`. Frames without annotations are yielded too unless `include_empty` is false.
   * Deleted frames are left out.
   */
  group_by_frame(include_empty?: boolean): Iterable<Frame>;
  /** Frames without their annotations: for lists of images. */
  readonly frames: Iterable<FrameInfo>;
  /** Number of frames that are not deleted. */
  readonly frame_count: number;
  /** The frame's file: source bytes for an image, PNG for a video frame. Null when the media cannot be read. */
  frame_image(frame: FrameInfo): Promise<FrameImage | null>;
  /**
   * The frame that a file's image means: by path, by path without extension, by the end of the path (one extra
   * folder at either side), by number. Null when nothing fits. `size` is not needed.
   */
  match_frame(item: FrameMatch): number | null;
  /** Sentences about the names that {@link match_frame} found no single frame for; the report has them at the end. */
  match_notes?(): readonly string[];
  frame_info(frame: number): FrameInfo | undefined;
  label(name: string): LabelInfo | undefined;
  /**
   * Present where labels of the file may become labels of the project: an importer tells what the file says about its
   * labels before it adds objects, as far as the format knows it.
   */
  declare_label?(label: FileLabel): void;
  /**
   * Present where subsets of the file become tasks: an importer tells those that the file names, as images without
   * objects may be all that they have.
   */
  declare_subset?(name: string): void;
  /** Present where images of the file become frames: an importer tells the images of masks, which are none. */
  declare_mask?(path: string): void;
  /** Objects with an unknown label are refused with `LabelError`; unknown attributes are dropped and reported. */
  add_tag(tag: Tag): void;
  add_shape(shape: LabeledShape): void;
  add_track(track: Track): void;
  /**
   * Present where added objects wait for another thread: an importer that adds many awaits it now and then, so that
   * they do not pile up. Undefined means: nothing to wait for.
   */
  backpressure?(): Promise<void> | undefined;
}

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** Points in the form that the store keeps: whole numbers of 10^−exponent. */
export interface FixedPoints {
  /** The shape has no more numbers than this: room that the target needs. */
  readonly capacity: number;
  /** How many there are, all of them finite, where that is known without reading them. */
  readonly count?: number;
  /** Whether all pairs are the same, where that can be told without decoding. */
  isOnePoint?(): boolean;
  /** Fills the target; null where the numbers have no such form, and only `points` gives them. */
  read(target: Int32Array): { readonly count: number; readonly exponent: number } | null;
}

export interface LabeledShape {
  readonly type: ShapeType;
  readonly frame: number;
  readonly label: string;
  readonly points: readonly number[];
  /**
   * The same numbers as `points`, for writers of decimal digits: where this is given, `points` may be a getter that
   * decodes, and a writer that takes this instead is spared the way through doubles. A copy with `...` leaves out
   * getters: it names `points` itself. Both are lent: those of a shape that is added are good until `add_shape` returns.
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
  /** Elements of a skeleton. */
  readonly elements?: readonly LabeledShape[];
  /** Area in pixels² as the file stated it; kept until the shape changes, so that it comes back unchanged. */
  readonly area?: number;
  /** In a project: the task that the frame number belongs to. */
  readonly task_id?: number;
  /** Set on the interpolated shapes that `group_by_frame` makes from tracks. */
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
  /** Immutable attributes. */
  readonly attributes?: readonly Attribute[];
  /** Elements of a skeleton: tracks of their own. */
  readonly elements?: readonly Track[];
  /** In a project: the task that the frame numbers belong to. */
  readonly task_id?: number;
}

/** A track's shape on one frame, with all its attributes. Where a skeleton is outside its elements are too. */
export interface TrackFrame extends TrackedShape {
  readonly elements: readonly (TrackedShape & { readonly label: string })[];
}

export interface DrawnTrack {
  readonly track: Track;
  /** Its shapes on every frame where it is visible, and its keyframes where it is not. */
  frames(): Iterable<TrackFrame>;
}

export interface Tag {
  readonly frame: number;
  readonly label: string;
  readonly attributes: readonly Attribute[];
  readonly group: number;
  readonly source?: AnnotationSource;
  /** In a project: the task that the frame number belongs to. */
  readonly task_id?: number;
}

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export interface FrameInfo extends ImageSize {
  readonly frame: number;
  /** Path relative to the task's media root, with `/`; video frames are `frame_%06d`. */
  readonly name: string;
  readonly subset: string;
  readonly task_id: number;
}

export interface Frame extends FrameInfo {
  readonly labeled_shapes: readonly LabeledShape[];
  readonly tags: readonly Tag[];
}

/** The file behind a frame: stream it from `path`, or take the bytes. `extension` has its dot. */
export interface FrameImage {
  readonly extension: string;
  readonly path?: string;
  readonly bytes?: Uint8Array;
  /** Another picture than the one that was annotated took its place. */
  readonly isReplaced?: boolean;
}

export interface FrameMatch {
  /** Image path or item id as the file states it. */
  readonly name?: string;
  readonly frame?: number;
  /** Frames of this subset are tried first: two subsets of a project may hold the same path. */
  readonly subset?: string;
  /** Path of the annotation file in its source: of several frames that fit equally, the nearest is meant. */
  readonly near?: string;
  /** A further name for the same image, or a guess at one that the file does not state: a miss says nothing. */
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

/** A label as a file describes it. */
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
  /** Source-relative first and last frame, and the step between frames. */
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
  /** A project's tasks (each with its own meta); empty for a task or job. */
  readonly tasks: readonly TaskMeta[];
  readonly dumped: string;
}
