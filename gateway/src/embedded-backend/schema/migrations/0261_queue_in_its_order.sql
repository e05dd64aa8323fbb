-- The first of the queue are read without the others: a burst is taken in many small batches.
create index event_queue_take_idx on public.event_queue (priority desc, created_at);
