-- Who approves what executes something is part of it (0182), also where a playbook names a team: to come into that team, or to give
-- its name to another one, is to become an approver. Whoever leaves it approves nothing, so that stays everyone's who edits teams.
create function watchroom_internal.guard_approvers() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  savers text := (select rules.savers from watchroom_internal.program_rules as rules);
  team text;
begin
  if savers = 'editor' or (savers = 'admin' and current_setting('role') = 'watchroom_admin') then return new; end if;
  if tg_table_name = 'team_members' then
    -- Also of one that is deleted: whoever restores it restores its members.
    team := (select teams.name from public.teams where teams.id = new.team_id);
  elsif new.deleted_at is null
    -- The same team, also in an upsert, which comes here as a new row first.
    and not exists (
      select from public.teams where teams.id = new.id and teams.name = new.name and teams.deleted_at is null)
  then
    team := new.name;
  end if;
  if team is null or not exists (
    select from (
      select playbooks.spec from public.playbooks where playbooks.deleted_at is null
      union all
      -- Runs keep what they were asked with.
      select runs.spec from public.playbook_runs as runs where runs.status not in ('completed', 'failed', 'cancelled')
    ) as known
    where jsonb_path_exists(
        known.spec, 'lax $.**.approval.approvers.teams[*] ? (@ == $team)', jsonb_build_object('team', team), true)
      and watchroom_internal.programs_of(jsonb_build_object('spec', known.spec)) <> '[]'
  ) then return new; end if;
  raise exception using errcode = '42501', message = case savers
    when 'nobody' then
      format('Nobody may add to the team %s here: it approves what executes programs (exec), and people do not sign in.', team)
    else format('Only an administrator may add to the team %s, or give a team its name: it approves what executes programs (exec).', team)
  end;
end
$$;

create trigger guard_approvers before insert or update on public.team_members
  for each row when (current_setting('role') <> 'none') execute function watchroom_internal.guard_approvers();
create trigger guard_approvers before insert or update of name, deleted_at on public.teams
  for each row when (current_setting('role') <> 'none') execute function watchroom_internal.guard_approvers();

-- An approver may be named by address. One that people gave to their account themselves is theirs only once they proved it.
alter table watchroom_identity.identities add column is_address_claimed boolean not null default false;
