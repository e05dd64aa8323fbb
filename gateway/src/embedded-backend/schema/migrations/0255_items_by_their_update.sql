-- Lists, and those who follow the catalog, ask for what changed last, with what has no time at the end.
drop index public.config_items_updated_at_idx;
create index config_items_updated_at_idx on public.config_items (updated_at desc nulls last, id);
