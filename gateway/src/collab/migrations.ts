import type { Migration } from '../platform/database/applyMigrations.ts'

/** The gateway's own tables in the schema `watchroom`. Forward only: a released entry never changes. */
export const COLLAB_MIGRATIONS: readonly Migration[] = [
  {
    name: '0001_documents',
    // Log first: an update is durable in document_update before anyone sees it.
    sql: `
create table watchroom.document (
  name text primary key,
  epoch uuid not null,
  created_at timestamptz not null default now()
);

create table watchroom.document_update (
  document text not null,
  epoch uuid not null,
  sequence bigint not null,
  update bytea not null,
  -- Null for the server's own updates: the seed and what was merged in from the backend.
  user_id uuid,
  created_at timestamptz not null default now(),
  -- Two writers of one document collide here instead of overwriting one another.
  primary key (document, epoch, sequence)
);

create table watchroom.document_snapshot (
  document text not null,
  epoch uuid not null,
  up_to bigint not null,
  state bytea not null,
  created_at timestamptz not null default now(),
  primary key (document, epoch, up_to)
);

-- Which person an update's client ids belong to: nobody may write in the name of another's.
create table watchroom.document_client (
  document text not null,
  epoch uuid not null,
  client_id bigint not null,
  user_id uuid not null,
  first_seen timestamptz not null default now(),
  primary key (document, epoch, client_id)
);

-- The rows both sides last agreed on. What the document says beyond them still has to be written to the backend; what the
-- backend says beyond them was written by others.
create table watchroom.document_base (
  document text not null,
  entity text not null,
  entity_id uuid not null,
  row jsonb not null,
  primary key (document, entity, entity_id)
);
`,
  },
  {
    name: '0002_open_documents',
    sql: `
-- Set while a gateway has the document open. What is marked and open nowhere was not closed in order.
alter table watchroom.document add column open_mark uuid;
create index document_open on watchroom.document (name) where open_mark is not null;
`,
  },
]
