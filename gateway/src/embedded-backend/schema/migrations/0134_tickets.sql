-- Tickets that responders were called in by. What people write into `responders` is not trusted here: whoever may write an
-- incident must not make the product comment on, or read, tickets of others by naming them.
create table watchroom_internal.tickets (
  responder_id uuid primary key references public.responders (id) on delete cascade,
  -- Of making it. After the first one the other system is asked whether it is there already.
  attempts integer not null default 1,
  -- What the other system calls it; null until it is made.
  external_id text,
  -- Where that system talks about it, if elsewhere.
  thread_id text,
  synced_at timestamptz
);
create index tickets_synced_at_idx on watchroom_internal.tickets (synced_at nulls first) where external_id is not null;

-- Each comment goes to a ticket once, and comes from it once.
create unique index comment_responders_once_key on public.comment_responders (comment_id, responder_id);
create unique index comment_responders_external_key on public.comment_responders (responder_id, external_id)
  where external_id is not null;
create index comments_responder_id_idx on public.comments (responder_id) where responder_id is not null;
