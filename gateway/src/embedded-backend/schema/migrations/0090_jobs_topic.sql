-- The job history and the tabs of single resources follow what begins and ends.
create trigger notify_topic after insert or update or delete on public.job_history
  for each statement execute function watchroom_internal.notify_topic('jobs');
