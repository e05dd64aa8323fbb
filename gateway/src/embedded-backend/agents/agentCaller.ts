import { Refusal } from '../../platform/http/refusal.ts'
import type { Principal } from '../server/principal.ts'
import type { KnownAgent } from './createAgentService.ts'

export const refuse = (status: number, error: string, message?: string): Refusal =>
  new Refusal(status, { error, ...(message === undefined ? {} : { message }) })

/** @throws Refusal when the caller is none */
export function requireAgent({ agent }: Principal): KnownAgent {
  if (!agent) throw refuse(403, 'only an agent, with the token it was created with, may do this')
  return agent
}
