-- A message to several chats, rooms or devices of one connection: those that took it are not told again with the next attempt.
create table watchroom_internal.taken_targets (
  -- Its idempotency key.
  message text not null,
  target text not null,
  taken_at timestamptz not null default now(),
  constraint taken_targets_pkey primary key (message, target)
);
create index taken_targets_taken_at_idx on watchroom_internal.taken_targets (taken_at);
