import type { DocumentLayout } from '../../layout.ts'
import { INCIDENT_SCHEMA_VERSION } from './schema.ts'

/** No migrations as long as there has been one layout only. */
export const INCIDENT_LAYOUT: DocumentLayout = { version: INCIDENT_SCHEMA_VERSION, migrations: [] }
