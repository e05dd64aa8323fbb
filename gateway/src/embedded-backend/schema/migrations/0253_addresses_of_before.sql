-- Before 0246 nothing was kept of who had said an address. One that approves what executes something names its account again once it
-- is proved or confirmed; an administrator could approve in any case.
update watchroom_identity.identities as identity set is_address_claimed = true
where identity.email_verified_at is null
  and not exists (
    select from public.casbin_rule where ptype = 'g' and v0 = identity.id::text and v1 = 'admin')
  and exists (
    select from (
      select playbooks.spec from public.playbooks where playbooks.deleted_at is null
      union all
      -- Runs keep what they were asked with.
      select runs.spec from public.playbook_runs as runs where runs.status not in ('completed', 'failed', 'cancelled')
    ) as known
    cross join lateral jsonb_path_query(known.spec, 'lax $.**.approval.approvers.people[*]', '{}', true) as listed (email)
    where lower(listed.email #>> '{}') = lower(identity.traits ->> 'email')
      and watchroom_internal.programs_of(jsonb_build_object('spec', known.spec)) <> '[]');
