-- Which incidents rules opened of which components: one at a time is open. Teams say when what they answer for may have changed.
create table watchroom_internal.incidents_of_rules (
  incident_id uuid not null references public.incidents (id) on delete cascade,
  incident_rule_id uuid not null references public.incident_rules (id) on delete cascade,
  component_id uuid not null references public.components (id) on delete cascade,
  constraint incidents_of_rules_pkey primary key (incident_id)
);
create index incidents_of_rules_component_idx
  on watchroom_internal.incidents_of_rules (component_id, incident_rule_id);

create function watchroom_internal.emit_team_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform watchroom_internal.emit_event('team.update', jsonb_build_object('team_id', new.id));
  return null;
end
$$;
create trigger emit_created after insert on public.teams
  for each row execute function watchroom_internal.emit_team_event();
create trigger emit_updated after update on public.teams
  for each row when (old.spec is distinct from new.spec or old.deleted_at is distinct from new.deleted_at)
  execute function watchroom_internal.emit_team_event();
