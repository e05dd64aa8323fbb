-- What canaries and playbooks refuse, everything does that people define: a spec that is too large, or nested too deep, at its field.
create trigger bound_spec before insert or update of spec on public.config_scrapers
  for each row execute function watchroom_internal.bound_spec();
create trigger bound_spec before insert or update of spec on public.incident_rules
  for each row execute function watchroom_internal.bound_spec();
create trigger bound_spec before insert or update of spec on public.logging_backends
  for each row execute function watchroom_internal.bound_spec();
create trigger bound_spec before insert or update of spec on public.teams
  for each row execute function watchroom_internal.bound_spec();
create trigger bound_spec before insert or update of spec on public.topologies
  for each row execute function watchroom_internal.bound_spec();
