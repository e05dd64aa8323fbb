-- Tells whoever listens that an incident changed, and gives the list what its filters need.

-- `incidents:<id>`: the topic, then the incident. PostgreSQL keeps one of equal notifications within a transaction.
create function watchroom_internal.notify_incident() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  incident text := case tg_table_name
    when 'incidents' then changed ->> 'id'
    when 'evidences' then (select incident_id::text from public.hypotheses where id = (changed ->> 'hypothesis_id')::uuid)
    else changed ->> 'incident_id'
  end;
begin
  if incident is not null then
    perform pg_notify('watchroom_topic', 'incidents:' || incident);
  end if;
  return null;
end
$$;

create trigger notify_incident after insert or update or delete on public.incidents
  for each row execute function watchroom_internal.notify_incident();
create trigger notify_incident after insert or update or delete on public.hypotheses
  for each row execute function watchroom_internal.notify_incident();
create trigger notify_incident after insert or update or delete on public.evidences
  for each row execute function watchroom_internal.notify_incident();
create trigger notify_incident after insert or update or delete on public.comments
  for each row execute function watchroom_internal.notify_incident();
create trigger notify_incident after insert or update or delete on public.responders
  for each row execute function watchroom_internal.notify_incident();
create trigger notify_incident after insert or update or delete on public.incident_histories
  for each row execute function watchroom_internal.notify_incident();

-- Columns are only added behind the others: the Component filter asks for one of `component_ids`.
create or replace view public.incident_summary as
  select
    incidents.id,
    incidents.incident_id,
    incidents.title,
    incidents.severity,
    incidents.type,
    incidents.status,
    incidents.created_at,
    incidents.updated_at,
    (
      select jsonb_build_object('id', person.id, 'avatar', person.avatar, 'name', person.name)
      from (select) as always
      left join public.people as person on person.id = incidents.commander_id
    ) as commander,
    (
      select jsonb_agg(distinct who.face)
      from public.responders
      left join public.people on people.id = responders.person_id
      left join public.teams on teams.id = responders.team_id
      cross join lateral (
        select jsonb_build_object(
          'id', coalesce(people.id, teams.id),
          'avatar', case when people.id is null then teams.icon else people.avatar end,
          'name', coalesce(people.name, teams.name)) as face
      ) as who
      where responders.incident_id = incidents.id
        and responders.deleted_at is null
        and coalesce(people.id, teams.id) is not null
    ) as responders,
    (
      select jsonb_agg(distinct jsonb_build_object('id', people.id, 'avatar', people.avatar, 'name', people.name))
      from public.comments
      join public.people on people.id = comments.created_by
      where comments.incident_id = incidents.id
    ) as commenters,
    incidents.created_by,
    array(
      select distinct evidences.component_id
      from public.hypotheses
      join public.evidences on evidences.hypothesis_id = hypotheses.id
      where hypotheses.incident_id = incidents.id and evidences.component_id is not null
      order by evidences.component_id
    ) as component_ids
  from public.incidents;
