// Recovery and verification: an address is typed, a code or a link comes by mail, and whoever brings it has the address.
import type { Mail, Mailer } from '../../mail/createMailer.ts'
import type { Identity } from '../identity.ts'
import { judgeEmail } from '../methods/profile.ts'
import { textOf } from '../methods/settingsMethod.ts'
import { normalEmail, type People } from '../people/createPeople.ts'
import { CODE_LENGTH, type MailedProofs, PROOF_LIFETIME_MS, PROOF_MINUTES } from './createMailedProofs.ts'
import { csrfNode, type Flow, PUBLIC_PATH } from './flow.ts'
import { again, type FlowAnswer, type FlowDefinition, type FlowStart, type StartCall } from './flowDefinition.ts'
import { type FlowMessage, MESSAGES } from './messages.ts'
import { type FlowNode, hidden, input, LABELS, submit } from './nodes.ts'

export type MailedVia = 'code' | 'link'

/** What differs between the two. */
interface MailedFlowWords {
  readonly type: 'recovery' | 'verification'
  readonly page: string
  readonly sent: Readonly<Record<MailedVia, FlowMessage>>
  readonly wrong: Readonly<Record<MailedVia, FlowMessage>>
  readonly codeLabel: { readonly id: number; readonly text: string }
}

interface Deps {
  readonly words: MailedFlowWords
  readonly proofs: MailedProofs
  readonly people: People
  readonly mailer: Mailer
  /** Whether codes or links are sent now. */
  readonly readVia: () => Promise<MailedVia>
  readonly start?: (call: StartCall) => Promise<FlowStart>
  /** Someone proved that they read mail to their address. */
  readonly onProved: (call: ProvedCall) => Promise<FlowAnswer>
}

export interface ProvedCall extends Pick<StartCall, 'request' | 'reply'> {
  readonly flow: Flow
  readonly owner: Identity
  readonly via: MailedVia
}

export interface MailedFlow extends FlowDefinition {
  /** A link was opened. @returns null when it is worth nothing */
  redeem(call: Pick<StartCall, 'request' | 'reply'>, flow: Flow, token: string): Promise<FlowAnswer | null>
}

export function createMailedFlow({ words, proofs, people, mailer, readVia, start, onProved }: Deps): MailedFlow {
  const { type, page } = words

  const toMail = (flow: Flow, to: string, via: MailedVia, secret: string): Mail =>
    via === 'code'
      ? { to, template: `${type}_code`, data: { code: secret, minutes: PROOF_MINUTES } }
      : {
          to,
          template: `${type}_link`,
          data: {
            url: mailer.link(`${PUBLIC_PATH}/self-service/${type}?flow=${flow.id}&token=${secret}`),
            minutes: PROOF_MINUTES,
          },
        }

  /** The one whom the proof was sent to, as long as they have that address and may sign in. */
  const ownerOf = async ({ identityId, state }: Flow): Promise<Identity | null> => {
    const owner = identityId === null ? null : await people.findById(identityId)
    const isTheirs = owner !== null && normalEmail(owner.email) === normalEmail(state.proof?.email ?? '')
    return isTheirs && owner.state === 'active' ? owner : null
  }

  const check = async (flow: Flow, secret: string): Promise<Identity | 'wrong' | 'spent'> => {
    const verdict = await proofs.check(flow, secret)
    if (verdict !== 'right') return verdict
    return (await ownerOf(flow)) ?? 'wrong'
  }

  return {
    type,
    page,
    lifetimeMs: PROOF_LIFETIME_MS,

    start: async (call) => {
      const started = await start?.(call)
      return { ...started, state: { ...started?.state, active: await readVia() } }
    },

    toForm: async (flow) => ({ nodes: [csrfNode(flow), ...toNodes(flow, words)] }),

    submit: async (call) => {
      const { flow, body } = call
      const via = flow.state.active === 'link' ? 'link' : 'code'
      const code = textOf(body, 'code').replaceAll(/\s/g, '')
      const email = textOf(body, 'email').trim()
      if (code !== '' && email === '' && flow.state.step === 'sent_email' && via === 'code') {
        const owner = await check(flow, code)
        // Kratos answers a wrong code with 200.
        if (owner === 'wrong') return again({ messages: [words.wrong.code] }, 200)
        if (owner === 'spent') return again({ messages: [MESSAGES.usedUpCode], step: 'choose_method' }, 200)
        return onProved({ ...call, owner, via })
      }
      const fault = judgeEmail(email)
      if (fault) return again({ values: { email }, fieldMessages: { email: [fault] } })
      const owner = await people.findByEmail(email)
      const isReal = owner?.state === 'active'
      return proofs.send(call, {
        email,
        identityId: isReal ? owner.id : null,
        isReal,
        via,
        toMail: (secret) => toMail(flow, email, via, secret),
        changes: { values: { email }, messages: [words.sent[via]] },
        status: 200,
      })
    },

    redeem: async (call, flow, token) => {
      const owner = flow.state.active === 'link' ? await check(flow, token) : 'wrong'
      return typeof owner === 'string' ? null : onProved({ ...call, flow, owner, via: 'link' })
    },
  }
}

function toNodes({ state }: Flow, { codeLabel }: MailedFlowWords): FlowNode[] {
  const group = state.active === 'link' ? 'link' : 'code'
  const email = state.values['email'] ?? ''
  if (state.step === 'passed_challenge') return []
  if (state.step === 'sent_email' && group === 'code') return codeNodes(codeLabel, { name: 'email', value: email })
  return [
    input(group, { name: 'email', type: 'email', value: email, required: true, autocomplete: 'email' }, LABELS.mailTo),
    submit(group, LABELS.proceed),
  ]
}

/** @param resend name and value of the button that sends another one */
export const codeNodes = (
  label: { readonly id: number; readonly text: string },
  resend: { readonly name: string; readonly value: string },
): FlowNode[] => [
  input(
    'code',
    {
      name: 'code',
      type: 'text',
      required: true,
      pattern: '[0-9]+',
      maxlength: CODE_LENGTH,
      autocomplete: 'one-time-code',
    },
    label,
  ),
  hidden('code', 'method', 'code'),
  submit('code', LABELS.proceed),
  submit('code', LABELS.resend, resend.value, resend.name),
]
