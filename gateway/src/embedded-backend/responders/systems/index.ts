import type { CreateTicketSystem } from '../ticketSystem.ts'
import { createJira } from './jira.ts'
import { createMsPlanner } from './msPlanner.ts'

/** By the type of the responder. The others run elsewhere. */
export const SYSTEMS: ReadonlyMap<string, { readonly title: string; readonly create: CreateTicketSystem }> = new Map([
  ['jira', { title: 'Jira', create: createJira }],
  ['ms_planner', { title: 'Microsoft Planner', create: createMsPlanner }],
])
