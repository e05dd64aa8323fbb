-- Cards of playbooks follow what others save, and who has approved is not asked any more.
create trigger notify_topic after insert or update or delete on public.playbooks
  for each statement execute function watchroom_internal.notify_topic('playbooks');
create trigger notify_waiting after insert or delete on public.playbook_approvals
  for each statement execute function watchroom_internal.notify_topic('waitingRuns');
