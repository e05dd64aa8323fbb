import type { Seal } from '../../../platform/createSeal.ts'
import type { Identity } from '../identity.ts'
import type { FlowDefinition, StartCall } from './flowDefinition.ts'
import { MESSAGES } from './messages.ts'
import type { FlowMaker } from './registerFlow.ts'
import { newSettings, SETTINGS_PAGE } from './settings.ts'

/** Where someone goes on who came in by a link. */
export type NextStep = (call: Pick<StartCall, 'request' | 'reply'>, person: Identity) => Promise<string>

interface Deps {
  readonly seal: Seal
  readonly makerOf: (definition: FlowDefinition) => FlowMaker
  readonly settings: () => FlowDefinition
}

export const createNextStep =
  ({ seal, makerOf, settings }: Deps): NextStep =>
  async (call, person) => {
    if (person.hasPassword) return '/'
    // The link works once: without a password they would not come in again.
    const start = newSettings(seal, person, [MESSAGES.choosePassword])
    const next = await makerOf(settings()).create(call, 'browser', '/', start)
    return `${SETTINGS_PAGE}?flow=${next.id}`
  }
