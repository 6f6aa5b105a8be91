import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './preview-image.module.css';

interface PreviewImageProps {
  readonly kind: 'task' | 'project' | 'job' | 'cloudstorage';
  readonly id: number;
  readonly version: string;
  readonly large?: boolean;
}

/** First image of a task, job, project or bucket; a placeholder without one. */
export function PreviewImage({ kind, id, version, large = false }: PreviewImageProps) {
  const [failed, setFailed] = useState(false);
  return (
    <div className={classes.box} data-large={large || undefined}>
      {failed ? (
        <IconPhotoOff size={large ? 32 : 14} stroke={1.6} />
      ) : (
        <img
          src={`/api/${kind}s/${id}/preview?v=${encodeURIComponent(version)}`}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
        />
      )}
    </div>
  );
}
