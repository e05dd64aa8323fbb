// The login form: what is stored of it and how it looks on the wire.
import type { FlowSchema } from '@watchroom/shared/identity'
import { z } from 'zod'

/** What a person is told; ids as in Kratos where Kratos has the case, 49xxxxx where it has not. */
export const LOGIN_MESSAGES = {
  missing: (name: string): LoginMessage => ({ id: 4_000_002, text: `Property ${name} is missing.`, type: 'error' }),
  wrong: {
    id: 4_000_006,
    text: 'The provided credentials are invalid, check for spelling mistakes in your password or e-mail address.',
    type: 'error',
  },
  linkInvalid: { id: 4_060_004, text: 'The sign-in link is invalid or has already been used.', type: 'error' },
  inactive: { id: 4_900_001, text: 'This account is switched off. Ask an administrator.', type: 'error' },
  wait: (waitMs: number): LoginMessage => ({
    id: 4_900_002,
    text: `Too many failed attempts. Try again in ${formatWait(waitMs)}.`,
    type: 'error',
  }),
  confirm: { id: 1_010_003, text: 'Please confirm this action by verifying that it is you.', type: 'info' },
} as const satisfies Record<string, LoginMessage | ((...values: never[]) => LoginMessage)>

const LoginMessageSchema = z.object({ id: z.number(), text: z.string(), type: z.enum(['info', 'error']) })
export type LoginMessage = z.infer<typeof LoginMessageSchema>

/** Column `flows.state` of a login flow. */
export const LoginStateSchema = z.object({
  requestUrl: z.string(),
  refresh: z.boolean(),
  requestedAal: z.string(),
  /** As typed last; a password is never kept. */
  identifier: z.string().default(''),
  messages: z.array(LoginMessageSchema).default([]),
  fieldMessages: z.record(z.string(), z.array(LoginMessageSchema)).default({}),
})
export type LoginState = z.infer<typeof LoginStateSchema>

export interface LoginFlow {
  readonly id: string
  readonly kind: 'browser' | 'api'
  /** '' in api flows. */
  readonly csrfToken: string
  readonly returnTo: string | null
  readonly issuedAt: Date
  readonly expiresAt: Date
  readonly state: LoginState
}

/** Path of the service as browsers see it: the gateway maps it to `/kratos`. */
const PUBLIC_PATH = '/api/.ory'

export const loginUrl = (id: string): string => `/login?flow=${id}`
export const logoutUrl = (token: string): string => `${PUBLIC_PATH}/self-service/logout?token=${token}`

/** The wire form. */
export function toFlow(flow: LoginFlow): z.input<typeof FlowSchema> & Readonly<Record<string, unknown>> {
  const { state } = flow
  const isRefresh = state.refresh ? [LOGIN_MESSAGES.confirm] : []
  return {
    id: flow.id,
    type: flow.kind,
    issued_at: flow.issuedAt.toISOString(),
    expires_at: flow.expiresAt.toISOString(),
    request_url: state.requestUrl,
    ...(flow.returnTo === null ? {} : { return_to: flow.returnTo }),
    refresh: state.refresh,
    requested_aal: state.requestedAal,
    state: 'choose_method',
    ui: {
      action: `${PUBLIC_PATH}/self-service/login?flow=${flow.id}`,
      method: 'POST',
      messages: [...isRefresh, ...state.messages],
      nodes: [
        input('default', { name: 'csrf_token', type: 'hidden', value: flow.csrfToken, required: true }, []),
        input(
          'default',
          { name: 'identifier', type: 'text', value: state.identifier, required: true, autocomplete: 'username' },
          state.fieldMessages['identifier'],
          { id: 1_070_004, text: 'E-mail' },
        ),
        input(
          'password',
          { name: 'password', type: 'password', required: true, autocomplete: 'current-password' },
          state.fieldMessages['password'],
          { id: 1_070_001, text: 'Password' },
        ),
        input('password', { name: 'method', type: 'submit', value: 'password' }, [], {
          id: 1_010_022,
          text: 'Sign in',
        }),
      ],
    },
  }
}

interface InputAttributes {
  name: string
  type: string
  value?: string
  required?: boolean
  autocomplete?: string
}

const input = (
  group: string,
  attributes: InputAttributes,
  messages: LoginMessage[] = [],
  label?: { id: number; text: string },
) => ({
  type: 'input',
  group,
  attributes: { ...attributes, disabled: false, node_type: 'input' as const },
  messages,
  meta: label ? { label: { ...label, type: 'info' } } : {},
})

function formatWait(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1_000)
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
