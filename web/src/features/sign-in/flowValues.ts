import type { FlowNode } from '@watchroom/shared/identity'
import { ownValue } from '@watchroom/shared/kernel'

/** What the user typed or ticked, by node name. */
export type Drafts = Readonly<Record<string, string | boolean>>

export type InputNode = FlowNode & { attributes: Extract<FlowNode['attributes'], { node_type: 'input' }> }

export function isInputNode(node: FlowNode): node is InputNode {
  return node.attributes.node_type === 'input'
}

export const isHidden = (node: FlowNode): boolean => isInputNode(node) && node.attributes.type === 'hidden'

export function isPressable(node: InputNode): boolean {
  return node.attributes.type === 'submit' || node.attributes.type === 'button'
}

/** Takes away something that a person signs in with: pressed on purpose, never by Enter in a field. */
export function isRemoval({ attributes: { name, type } }: InputNode): boolean {
  return type === 'submit' && /(?:^|_)(?:remove|unlink|disable)$/.test(name)
}

/**
 * The body of a submit: every input's value except the buttons', what was typed in place of what was given, and the
 * pressed button. Dotted names become objects, as the service's JSON interface expects them.
 */
export function toSubmitBody(
  nodes: readonly FlowNode[],
  drafts: Drafts,
  pressed?: { name: string; value: unknown },
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const node of nodes) {
    if (!isInputNode(node) || isPressable(node)) continue
    const { name, type, value } = node.attributes
    const draft = type === 'hidden' ? undefined : ownValue(drafts, name)
    const chosen = draft ?? value ?? (type === 'checkbox' ? false : '')
    setPath(body, name, chosen)
  }
  if (pressed !== undefined && pressed.name !== '') setPath(body, pressed.name, pressed.value)
  return body
}

function setPath(target: Record<string, unknown>, name: string, value: unknown): void {
  const [head = '', ...rest] = name.split('.')
  // A name such as __proto__ from a broken service must not reach the prototype.
  if (head === '__proto__') return
  if (rest.length === 0) {
    target[head] = value
    return
  }
  const inner = ownValue(target, head)
  const branch = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  target[head] = branch
  setPath(branch, rest.join('.'), value)
}

/** Every sentence about a mistake: of the form first, then of the fields in their order. */
export function errorsOf(
  flow: { ui: { messages: readonly { text: string; type: string }[]; nodes: readonly FlowNode[] } },
  nodes: readonly FlowNode[],
): { text: string; field?: string; label?: string }[] {
  const general = flow.ui.messages.filter(({ type }) => type === 'error').map(({ text }) => ({ text }))
  const perField = nodes
    .filter(isInputNode)
    .flatMap((node) =>
      node.messages
        .filter(({ type }) => type === 'error')
        .map(({ text }) => ({ text, field: node.attributes.name, label: labelOf(node) })),
    )
  return [...general, ...perField]
}

export function labelOf(node: FlowNode): string {
  const label = node.meta?.label?.text
  if (label !== undefined) return label
  return node.attributes.node_type === 'input' ? node.attributes.name : ''
}
