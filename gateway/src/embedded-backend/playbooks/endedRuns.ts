import { ENDED_RUN_STATUSES } from '@watchroom/shared/playbooks'

/** In SQL: `status not in (${ENDED_RUNS})`. */
export const ENDED_RUNS = ENDED_RUN_STATUSES.map((status) => `'${status}'`).join(', ')
