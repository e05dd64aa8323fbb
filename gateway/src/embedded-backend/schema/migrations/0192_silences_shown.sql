-- What is silenced is shown wherever it stands, also by a silence of something above it: every resource that a silence covers that is
-- not over, as the sender judges it (`matching_silence`). What it reads is read for those who may read silences.
alter function watchroom_internal.covered_by_silence(text, uuid, boolean) security definer set search_path = pg_catalog, public;

create view public.silenced_resources as
  select
    silence.id as silence_id,
    covered.kind,
    covered.id as resource_id
  from public.notification_silences as silence
  cross join lateral (
    select
      case
        when silence.check_id is not null then 'check'
        when silence.canary_id is not null then 'canary'
        when silence.component_id is not null then 'component'
        else 'config'
      end as kind,
      coalesce(silence.check_id, silence.canary_id, silence.component_id, silence.config_id) as id) as about
  cross join lateral
    watchroom_internal.covered_by_silence(about.kind, about.id, coalesce(silence.recursive, false)) as covered
  where silence.deleted_at is null and silence.until > now();

create trigger notify_topic after insert or update or delete on public.notification_silences
  for each statement execute function watchroom_internal.notify_topic('silences');

-- What happened that somebody may be told of, for lists that follow it.
create view public.notification_transitions as
  select
    transitions.id,
    transitions.event,
    transitions.kind,
    transitions.resource_id,
    transitions.happened_at,
    decisions.decided,
    decisions.told
  from watchroom_internal.transitions
  cross join lateral (
    select count(*) as decided, count(*) filter (where outcome = 'told') as told
    from watchroom_internal.decisions where decisions.transition = transitions.id) as decisions;

create trigger notify_topic after insert or delete on watchroom_internal.transitions
  for each statement execute function watchroom_internal.notify_topic('transitions');
create trigger notify_topic after insert or update on watchroom_internal.decisions
  for each statement execute function watchroom_internal.notify_topic('transitions');

create trigger notify_topic after insert or update or delete on public.event_queue
  for each statement execute function watchroom_internal.notify_topic('eventQueue');
