-- What one transaction did happened in an order too: the last of it is the last event of its incident.
alter table public.incident_histories alter column created_at set default clock_timestamp();
