-- Percentiles of runs that are gone. An aggregate keeps, beside the sum, how many of its runs fell into which bucket of a
-- DDSketch with a relative accuracy of 1 %: {{key, …}, {count, …}}. The key of a duration d is ceil(ln(d) / ln(γ)) with
-- γ = 1.01 / 0.99, which puts it within 1 % of 2γ^key / (1 + γ); -1 stands for a run without a duration. Sketches are merged
-- by adding the counts of equal keys. Null: not made yet. Empty: the runs were gone before it could be made.
alter table public.check_statuses_1h add column durations integer[];
alter table public.check_statuses_1d add column durations integer[];
create index check_statuses_1h_sketchless_idx on public.check_statuses_1h (created_at) where durations is null;
create index check_statuses_1d_sketchless_idx on public.check_statuses_1d (created_at) where durations is null;

create or replace view public.check_statuses_5m as
  select
    check_id,
    created_at,
    sum(total)::bigint as total_checks,
    sum(passed)::bigint as passed,
    sum(failed)::bigint as failed,
    sum(total_ms)::bigint as total_duration,
    array[array_agg(key order by key), array_agg(total::integer order by key)] as durations
  from (
    select
      check_id,
      date_bin('5 minutes', time, '2000-01-01 00:00:00+00') as created_at,
      case when duration >= 1 then ceil(ln(duration::float8) * 49.99833328888678)::integer else -1 end as key,
      count(*) as total,
      count(*) filter (where status) as passed,
      count(*) filter (where not status) as failed,
      sum(duration) as total_ms
    from public.check_statuses
    where time > now() - interval '1 day'
    group by 1, 2, 3
  ) as counted
  group by check_id, created_at
  order by check_id, created_at desc;
