/** Users, sign-ins, organizations. */
export const accountsSchema = `
-- A placeholder is an invited user without an account.
CREATE TABLE user (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email TEXT NOT NULL DEFAULT '',
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  password_hash TEXT NOT NULL,
  group_name TEXT NOT NULL CHECK (group_name IN ('admin', 'user', 'worker')),
  is_active INTEGER NOT NULL DEFAULT 1,
  is_staff INTEGER NOT NULL DEFAULT 0,
  is_superuser INTEGER NOT NULL DEFAULT 0,
  date_joined TEXT NOT NULL,
  last_login TEXT,
  has_analytics_access INTEGER NOT NULL DEFAULT 0,
  is_placeholder INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Sign-ins of browsers. Only hashes of keys are stored.
CREATE TABLE session (
  key_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  csrf_token TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Tokens of the SDK and of commands.
CREATE TABLE auth_token (
  key_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  created_date TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Personal access tokens.
CREATE TABLE access_token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL UNIQUE,
  secret_hash TEXT NOT NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  expiry_date TEXT,
  last_used_date TEXT,
  read_only INTEGER NOT NULL,
  revoked INTEGER NOT NULL DEFAULT 0
) STRICT;

-- At most one open password reset per user.
CREATE TABLE password_reset (
  token_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL UNIQUE REFERENCES user (id) ON DELETE CASCADE,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- contact is JSON.
CREATE TABLE organization (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  contact TEXT NOT NULL DEFAULT '{}',
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;

-- A user in an organization. is_active is 0 until an invitation is accepted.
CREATE TABLE membership (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  organization_id INTEGER NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('worker', 'supervisor', 'maintainer', 'owner')),
  is_active INTEGER NOT NULL DEFAULT 1,
  joined_date TEXT,
  UNIQUE (user_id, organization_id)
) STRICT;
CREATE INDEX membership_organization ON membership (organization_id);

-- An invitation to a membership.
CREATE TABLE invitation (
  key TEXT PRIMARY KEY,
  membership_id INTEGER NOT NULL UNIQUE REFERENCES membership (id) ON DELETE CASCADE,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL,
  -- start of the period of validity; renewing the invitation restarts it
  sent_date TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The private key is in the volume of keys, as keys/ssh/<id>.key.
CREATE TABLE ssh_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- line of authorized_keys: type, base64, comment
  public_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  -- 1: needs a passphrase, which is not stored
  has_passphrase INTEGER NOT NULL,
  created_date TEXT NOT NULL,
  last_used_date TEXT,
  UNIQUE (user_id, fingerprint)
) STRICT;

CREATE TRIGGER webhook_organization_goes BEFORE DELETE ON organization BEGIN
  UPDATE webhook SET stage = 'draining', organization_id = NULL
  WHERE organization_id = OLD.id AND type = 'organization' AND stage = 'live';
END;
`;
