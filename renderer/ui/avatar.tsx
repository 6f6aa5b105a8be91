import classes from './avatar.module.css';

interface AvatarProps {
  /** Null for no user. */
  readonly person: { readonly id: number; readonly name: string } | null;
}

const initials = (name: string): string => {
  const words = name.split(/[\s._-]+/).filter((word) => word !== '');
  const letters =
    words.length > 1 ? [words[0], words.at(-1)].map((word) => word?.[0] ?? '').join('') : name.slice(0, 2);
  return letters.toUpperCase();
};

/** Initials on the user's colour; an empty ring for no user. The name is beside it. */
export const Avatar = ({ person }: AvatarProps) => (
  <span className={classes.avatar} data-fill={person === null ? 'none' : person.id % 6} aria-hidden>
    {person === null ? '' : initials(person.name)}
  </span>
);
