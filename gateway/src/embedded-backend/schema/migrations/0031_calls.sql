-- Which call a connection of PostgREST works for, so that the query of somebody who has left can be ended. PostgREST asks this
-- first in every transaction, as the caller's role; the name is the transaction's and goes with it.
create schema watchroom_calls;
-- Whatever role a call has; there is nothing here but this.
grant usage on schema watchroom_calls to public;
create function watchroom_calls.note() returns void
language sql volatile as $$
  select set_config(
    'application_name',
    'watchroom-call ' || coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'call', ''),
    true)
$$;
