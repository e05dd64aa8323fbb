-- What the engine of scrapers needs besides the tables of the catalog: what it last stored of each item, and word of edited scrapers.

create table watchroom_internal.scraped_items (
  config_id uuid primary key references public.config_items (id) on delete cascade,
  -- SHA-256 of all that was stored of the item, in hexadecimal digits
  hash text not null
);

create function watchroom_internal.tell_scrapers() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform pg_notify('watchroom_scrapers', coalesce(new.id, old.id)::text);
  return null;
end
$$;
create trigger tell_scrapers after insert or delete or update of name, spec, agent_id, deleted_at on public.config_scrapers
  for each row execute function watchroom_internal.tell_scrapers();

-- Runs look for what they related themselves.
create index config_relationships_selector_id_idx on public.config_relationships (selector_id)
  where selector_id is not null;
