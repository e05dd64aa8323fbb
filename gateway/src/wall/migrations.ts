import type { Migration } from '../platform/database/applyMigrations.ts'

/** Saved wallboards and the screens that show them, in the gateway's schema. Forward only: a released entry never changes. */
export const WALL_MIGRATIONS: readonly Migration[] = [
  {
    name: 'wall_0001_boards',
    sql: `
create table watchroom.wall_board (
  id uuid primary key,
  name text not null,
  filter jsonb not null,
  group_by text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index wall_board_name on watchroom.wall_board (lower(name));

-- The token itself is nowhere: it is shown once, to whoever makes the link.
create table watchroom.wall_link (
  id uuid primary key,
  board_id uuid not null references watchroom.wall_board on delete cascade,
  name text not null,
  token_hash bytea not null unique,
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  withdrawn_at timestamptz,
  last_seen_at timestamptz
);
create index wall_link_board on watchroom.wall_link (board_id);

-- Browsers that came by a link, each with a secret of its own. Kept after the link ended, so that they are told why.
create table watchroom.wall_device (
  secret_hash bytea primary key,
  link_id uuid not null references watchroom.wall_link on delete cascade,
  created_at timestamptz not null default now()
);
create index wall_device_link on watchroom.wall_device (link_id, created_at);
`,
  },
]
