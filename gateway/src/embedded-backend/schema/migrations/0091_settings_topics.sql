-- Every table of settings that has a definition in shared/src/settings tells its lists and forms what was saved.
create trigger notify_settings after insert or update or delete on public.teams
  for each statement execute function watchroom_internal.notify_topic('settings:teams');
create trigger notify_settings after insert or update or delete on public.incident_rules
  for each statement execute function watchroom_internal.notify_topic('settings:incident_rules');
create trigger notify_settings after insert or update or delete on public.config_scrapers
  for each statement execute function watchroom_internal.notify_topic('settings:config_scrapers');
create trigger notify_settings after insert or update or delete on public.topologies
  for each statement execute function watchroom_internal.notify_topic('settings:topologies');
create trigger notify_settings after insert or update or delete on public.canaries
  for each statement execute function watchroom_internal.notify_topic('settings:canaries');
