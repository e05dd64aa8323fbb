-- What tells topics of a write compares rows before and after it. The plan of that is made for the first write of a connection: one
-- row suits a loop, and the same plan compares each of 5,000 rows with all others, which takes seconds of every scrape.
alter function watchroom_internal.notify_config_items() set enable_nestloop = off;
alter function watchroom_internal.notify_config_insights() set enable_nestloop = off;
