-- The list says what happened last. Columns are only added behind the others.
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
    ) as component_ids,
    (
      select jsonb_build_object('type', type, 'description', description, 'created_at', created_at)
      from public.incident_histories
      where incident_histories.incident_id = incidents.id
      order by created_at desc, id desc
      limit 1
    ) as last_event
  from public.incidents;
