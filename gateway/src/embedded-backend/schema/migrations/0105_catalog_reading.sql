-- Lists, counts and summaries of a large catalog.

-- Changes are counted by what kind they are without looking at a single one.
drop index public.config_changes_change_type_idx;
create index config_changes_kind_idx on public.config_changes (change_type, severity, created_at desc)
  include (config_id, source);

create index config_items_type_idx on public.config_items (type) include (id, agent_id, deleted_at);
-- Lists show what is deleted last.
drop index public.config_items_deleted_at_idx;
create index config_items_list_idx on public.config_items (deleted_at desc, type, name);
create index config_items_updated_at_idx on public.config_items (updated_at desc);
