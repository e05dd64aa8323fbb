import { FlowSchema } from '@watchroom/shared/identity'
import { describe, expect, it } from 'vitest'

import { errorsOf, toSubmitBody } from '../../../../web/src/features/sign-in/flowValues.ts'
import { loginFlow } from './flows.ts'

const input = (name: string, type: string, value?: unknown) => ({
  type: 'input',
  group: 'profile',
  attributes: { node_type: 'input', name, type, value },
  messages: [],
  meta: {},
})

const nodesOf = (nodes: unknown[]) =>
  FlowSchema.parse({ id: 'f', ui: { action: '/', method: 'POST', nodes, messages: [] } }).ui.nodes

describe('toSubmitBody', () => {
  it('sends every input, the typed text in place of the given one, and the pressed button', () => {
    const body = toSubmitBody(
      loginFlow({ identifier: 'old@x' }).ui.nodes,
      { identifier: 'ana@x', password: 's' },
      { name: 'method', value: 'password' },
    )
    expect(body).toEqual({ csrf_token: 'csrf-of-flow-1', identifier: 'ana@x', password: 's', method: 'password' })
  })

  it('sends no button that was not pressed', () => {
    expect(toSubmitBody(loginFlow().ui.nodes, {})).not.toHaveProperty('method')
  })

  it('does not let typed text replace a hidden value', () => {
    expect(toSubmitBody(loginFlow().ui.nodes, { csrf_token: 'forged' })).toMatchObject({ csrf_token: 'csrf-of-flow-1' })
  })

  it('makes objects of dotted names', () => {
    const nodes = nodesOf([input('traits.email', 'email', 'a@x'), input('traits.name.first', 'text', 'Ana')])
    expect(toSubmitBody(nodes, { 'traits.name.first': 'Anna' })).toEqual({
      traits: { email: 'a@x', name: { first: 'Anna' } },
    })
  })

  it('sends an untouched checkbox as false and an untouched field as empty', () => {
    expect(toSubmitBody(nodesOf([input('remember', 'checkbox'), input('code', 'text')]), {})).toEqual({
      remember: false,
      code: '',
    })
  })

  it('keeps a name such as __proto__ away from the prototype', () => {
    toSubmitBody(nodesOf([input('__proto__.polluted', 'text', 'yes')]), {})
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('errorsOf', () => {
  it('lists what is wrong with the form, then with its fields', () => {
    const flow = loginFlow({ message: 'Wrong.', passwordError: 'Missing.' })
    expect(errorsOf(flow, flow.ui.nodes)).toEqual([
      { text: 'Wrong.' },
      { text: 'Missing.', field: 'password', label: 'Password' },
    ])
  })
})

describe('FlowSchema', () => {
  it('keeps a kind of node that it does not know, so that the rest of the form still works', () => {
    const [node] = nodesOf([
      { type: 'script', group: 'webauthn', attributes: { node_type: 'script', src: '/x.js' }, messages: [], meta: {} },
    ])
    expect(node?.attributes).toEqual({ node_type: 'unknown' })
  })
})
