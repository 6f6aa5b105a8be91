import type { Store } from '../db/store.ts';

export interface InPlaceFile {
  readonly task_id: number;
  readonly task_name: string;
  readonly media_id: number;
  /** Null for a video, whose frames are in one file. */
  readonly frame: number | null;
  readonly file: string;
  readonly identity: string | null;
}

export function createInPlaceRepository(database: Store) {
  const images = database.query<[], InPlaceFile>(
    `SELECT task.id AS task_id, task.name AS task_name, media.id AS media_id, frame.frame, frame.file, frame.identity
     FROM media JOIN task ON task.media_id = media.id JOIN frame ON frame.media_id = media.id
     WHERE media.storage = 'share' AND media.kind = 'images' AND frame.file IS NOT NULL`,
  );
  const videos = database.query<[], InPlaceFile>(
    `SELECT task.id AS task_id, task.name AS task_name, media.id AS media_id, NULL AS frame,
       json_extract(media.video, '$.file') AS file, NULL AS identity
     FROM media JOIN task ON task.media_id = media.id WHERE media.storage = 'share' AND media.kind = 'video'`,
  );
  const moveImage = database.query('UPDATE frame SET file = ?, identity = ? WHERE media_id = +? AND frame = +?');
  const moveVideo = database.query("UPDATE media SET video = json_set(video, '$.file', ?) WHERE id = +?");
  return {
    files: (): InPlaceFile[] => [...images.all(), ...videos.all()],
    move: ({ media_id: media, frame }: InPlaceFile, file: string, identity: string | null): void =>
      void (frame === null ? moveVideo.run(file, media) : moveImage.run(file, identity, media, frame)),
  };
}
