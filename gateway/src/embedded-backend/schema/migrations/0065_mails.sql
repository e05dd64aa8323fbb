-- What is sent to people by mail. The queue names a mail alone: everybody who may read the queue would otherwise read its code.
create table watchroom_internal.mails (
  id uuid primary key default public.generate_ulid(),
  recipient text not null,
  template text not null,
  -- What the template is filled with, codes and links included; null once a mail server has taken the mail.
  data jsonb,
  created_at timestamptz not null default now(),
  -- Taken by a mail server, or laid into the outbox.
  sent_at timestamptz,
  constraint mails_data_size check (octet_length(data::text) <= 16384)
);
create index mails_sent_at_idx on watchroom_internal.mails (sent_at desc) where sent_at is not null;
create index mails_waiting_idx on watchroom_internal.mails (id) where sent_at is null;
