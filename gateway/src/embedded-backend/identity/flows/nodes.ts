// What forms are made of, in the words of the identity service's wire.
import type { FlowMessage } from './messages.ts'

interface Label {
  readonly id: number
  readonly text: string
}

/** Of nodes that several methods have. */
export const LABELS = {
  email: { id: 1_070_002, text: 'E-mail' },
  firstName: { id: 1_070_002, text: 'First name' },
  lastName: { id: 1_070_002, text: 'Last name' },
  password: { id: 1_070_001, text: 'Password' },
  save: { id: 1_070_003, text: 'Save' },
  verifyCode: { id: 1_070_006, text: 'Verify code' },
  mailTo: { id: 1_070_007, text: 'E-mail' },
  resend: { id: 1_070_008, text: 'Resend code' },
  proceed: { id: 1_070_009, text: 'Continue' },
} as const satisfies Record<string, Label>

export interface FlowNode {
  readonly type: 'input' | 'text' | 'img' | 'a'
  readonly group: string
  readonly attributes:
    | (InputAttributes & { readonly node_type: 'input'; readonly disabled: boolean })
    | { readonly node_type: 'text'; readonly id: string; readonly text: FlowMessage }
    | { readonly node_type: 'img'; readonly id: string; readonly src: string }
    | { readonly node_type: 'a'; readonly id: string; readonly href: string; readonly title: FlowMessage }
  readonly messages: FlowMessage[]
  readonly meta: { readonly label?: Label & { readonly type: 'info' } }
}

interface InputAttributes {
  readonly name: string
  readonly type: string
  readonly value?: string | boolean
  readonly required?: boolean
  readonly autocomplete?: string
  readonly pattern?: string
  readonly maxlength?: number
  readonly onclickTrigger?: string
}

export const input = (group: string, attributes: InputAttributes, label?: Label): FlowNode => ({
  type: 'input',
  group,
  attributes: { ...attributes, disabled: false, node_type: 'input' },
  messages: [],
  meta: toMeta(label),
})

/** One of the inputs shows its value, takes no other, and says why. */
export const withFixed = (nodes: readonly FlowNode[], name: string, reason: FlowMessage): FlowNode[] =>
  nodes.map((node) =>
    node.attributes.node_type === 'input' && node.attributes.name === name
      ? { ...node, attributes: { ...node.attributes, disabled: true }, messages: [reason] }
      : node,
  )

export const hidden = (group: string, name: string, value?: string): FlowNode =>
  input(group, { name, type: 'hidden', ...(value === undefined ? {} : { value }) })

/** A button that sends the form: `method` names what is done with it, any other name does something of the group's own. */
export const submit = (group: string, label: Label, value: string | true = group, name = 'method'): FlowNode =>
  input(group, { name, type: 'submit', value }, label)

/** A button that asks the browser for a key, with what it is told as JSON. */
export const keyButton = (group: string, name: string, trigger: string, value: string, label: Label): FlowNode =>
  input(group, { name, type: 'button', onclickTrigger: trigger, value }, label)

export const text = (group: string, id: string, content: FlowMessage, label: Label): FlowNode => ({
  type: 'text',
  group,
  attributes: { node_type: 'text', id, text: content },
  messages: [],
  meta: toMeta(label),
})

export const image = (group: string, id: string, src: string, label: Label): FlowNode => ({
  type: 'img',
  group,
  attributes: { node_type: 'img', id, src },
  messages: [],
  meta: toMeta(label),
})

export const anchor = (group: string, id: string, href: string, title: FlowMessage): FlowNode => ({
  type: 'a',
  group,
  attributes: { node_type: 'a', id, href, title },
  messages: [],
  meta: {},
})

const toMeta = (label: Label | undefined): FlowNode['meta'] => (label ? { label: { ...label, type: 'info' } } : {})
