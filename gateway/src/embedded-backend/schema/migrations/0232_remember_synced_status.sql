-- What the sync said of a status before it was remembered (0231) was never taken back. The next sync writes such components once more.
update watchroom_internal.synced_components as synced set hash = ''
from public.components
where components.id = synced.component_id and components.deleted_at is null and components.status_expr is null
  and synced.status is null;
