import { type Flow, FlowSchema } from '@watchroom/shared/identity'

interface LoginFlowOptions {
  id?: string
  identifier?: string
  /** An error about the form as a whole. */
  message?: string
  passwordError?: string
  /** Of a provider that is offered beside the password. */
  provider?: string
}

const message = (text: string) => ({ id: 4_000_000, text, type: 'error' })

/** A sign-in form as the identity service sends it. */
export function loginFlow({
  id = 'flow-1',
  identifier = '',
  message: text,
  passwordError,
  provider,
}: LoginFlowOptions = {}): Flow {
  return FlowSchema.parse({
    id,
    type: 'browser',
    issued_at: '2026-01-01T00:00:00Z',
    expires_at: '2026-01-01T00:10:00Z',
    request_url: 'http://watchroom.test/self-service/login/browser',
    ui: {
      action: `http://watchroom.test/self-service/login?flow=${id}`,
      method: 'POST',
      messages: text === undefined ? [] : [message(text)],
      nodes: [
        {
          type: 'input',
          group: 'default',
          attributes: {
            node_type: 'input',
            name: 'csrf_token',
            type: 'hidden',
            value: `csrf-of-${id}`,
            required: true,
          },
          messages: [],
          meta: {},
        },
        {
          type: 'input',
          group: 'default',
          attributes: { node_type: 'input', name: 'identifier', type: 'text', value: identifier, required: true },
          messages: [],
          meta: { label: { id: 1, text: 'E-Mail', type: 'info' } },
        },
        {
          type: 'input',
          group: 'password',
          attributes: {
            node_type: 'input',
            name: 'password',
            type: 'password',
            required: true,
            autocomplete: 'current-password',
          },
          messages: passwordError === undefined ? [] : [message(passwordError)],
          meta: { label: { id: 2, text: 'Password', type: 'info' } },
        },
        {
          type: 'input',
          group: 'password',
          attributes: { node_type: 'input', name: 'method', type: 'submit', value: 'password' },
          messages: [],
          meta: { label: { id: 3, text: 'Sign in', type: 'info' } },
        },
        ...(provider === undefined
          ? []
          : [
              {
                type: 'input',
                group: 'oidc',
                attributes: { node_type: 'input', name: 'provider', type: 'submit', value: provider },
                messages: [],
                meta: { label: { id: 4, text: `Sign in with ${provider}`, type: 'info' } },
              },
            ]),
      ],
    },
  })
}

/** A form of several sections, each with a field of its own name and a button. @param said by the service about what was sent */
export function sectionsFlow(groups: readonly string[], said?: { text: string; type: 'success' | 'error' }): Flow {
  const node = (group: string, attributes: object, label: string) => ({
    type: 'input',
    group,
    attributes: { node_type: 'input', ...attributes },
    messages: [],
    meta: { label: { id: 1, text: label, type: 'info' } },
  })
  return FlowSchema.parse({
    id: 'flow-1',
    ui: {
      action: 'http://watchroom.test/self-service/settings?flow=flow-1',
      method: 'POST',
      messages: said === undefined ? [] : [{ id: 1_050_001, ...said }],
      nodes: groups.flatMap((group) => [
        node(group, { name: `field_of_${group}`, type: 'text' }, `Field of ${group}`),
        node(group, { name: 'method', type: 'submit', value: group }, `Save ${group}`),
      ]),
    },
  })
}
