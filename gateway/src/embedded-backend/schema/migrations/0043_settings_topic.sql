-- Lists and forms of settings follow what others save: one trigger per table that has a definition in shared/src/settings.
create trigger notify_settings after insert or update or delete on public.logging_backends
  for each statement execute function watchroom_internal.notify_topic('settings:logging_backends');
