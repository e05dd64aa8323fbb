import { Button, Callout, Checkbox, InputGroup, Intent } from '@blueprintjs/core'
import { EyeOff, EyeOpen } from '@blueprintjs/icons'
import type { Flow, FlowNode } from '@watchroom/shared/identity'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'

import { Field } from '../../../ui/form/Field.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { askForKey, isKeyNode } from '../browserKeys.ts'
import {
  type Drafts,
  errorsOf,
  type InputNode,
  isHidden,
  isInputNode,
  isPressable,
  isRemoval,
  labelOf,
  toSubmitBody,
} from '../flowValues.ts'

import styles from '../signIn.module.css'

interface FlowFormProps {
  flow: Flow
  /** What it is called where a page has several. */
  label?: string
  /** Groups of nodes that belong to this form; `default` (the anti-forgery token, the identifier) always does. */
  groups: readonly string[]
  /** Only the hidden fields of `default`: another form on the page has the others. */
  isBesideAnother?: boolean
  isSubmitting: boolean
  /** Changes with every answer of the service: then the focus goes to its remarks. */
  answers: number
  onSubmit: (values: Record<string, unknown>) => void
  /** Shown above the fields, for example that the form had to start anew. */
  notice?: string | null
  /** Remarks on the form as a whole are shown elsewhere. */
  isMessagesHidden?: boolean
}

/**
 * A form made of what the identity service asks for. Keeps what the user typed while the service answers with remarks.
 * Ordinary named inputs, so that pasting and password managers work.
 */
export function FlowForm({
  flow,
  label,
  groups,
  isBesideAnother = false,
  isSubmitting,
  answers,
  onSubmit,
  notice = null,
  isMessagesHidden = false,
}: FlowFormProps) {
  const [drafts, setDrafts] = useState<Drafts>({})
  const [keyFault, setKeyFault] = useState<string | null>(null)
  const summary = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(answers)
  const id = useId()
  const nodes = flow.ui.nodes.filter((node) =>
    node.group === 'default' ? !isBesideAnother || isHidden(node) : groups.includes(node.group),
  )
  const errors = errorsOf(isMessagesHidden ? { ui: { messages: [], nodes } } : flow, nodes)
  const remarks = isMessagesHidden ? [] : flow.ui.messages.filter(({ type }) => type !== 'error')
  const fieldId = (name: string): string => `${id}-${name}`

  // Saved values are cleared: otherwise the next Enter would send a password again.
  if (answers !== seen) {
    setSeen(answers)
    if (!isSubmitting && answers > 0 && flow.ui.messages.some(({ type }) => type === 'success')) setDrafts({})
  }

  useEffect(() => {
    if (answers > 0) summary.current?.focus()
  }, [answers])

  function send(pressed?: { name: string; value: unknown }): void {
    setKeyFault(null)
    onSubmit(toSubmitBody(nodes, drafts, pressed))
  }

  async function handleKey(node: InputNode): Promise<void> {
    setKeyFault(null)
    try {
      const { field, answer } = await askForKey(node, nodes)
      onSubmit({ ...toSubmitBody(nodes, drafts, { name: 'method', value: node.group }), [field]: answer })
    } catch {
      // The browser does not say why, so that no page can find out which keys exist.
      setKeyFault('No key was used. Try again.')
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const submitter = (event.nativeEvent as SubmitEvent).submitter
    const buttons = nodes.filter(isInputNode).filter((node) => node.attributes.type === 'submit' && !isRemoval(node))
    const clicked = buttons.find((node) => submitter === null || submitter.dataset['node'] === nodeKey(node))
    // Enter in a field presses the first button, as browsers do; where a form has several methods it means that of the field.
    const isFirst = clicked === buttons[0]
    const pressed = (isFirst ? buttons.find(({ group }) => group === groupInUse(nodes)) : undefined) ?? clicked
    const key = nodes.find((node): node is InputNode => isInputNode(node) && isKeyNode(node))
    if (pressed === undefined && key) void handleKey(key)
    else send(pressed && { name: pressed.attributes.name, value: pressed.attributes.value ?? '' })
  }

  return (
    <form
      className={styles['flow']}
      method="post"
      action={flow.ui.action}
      aria-label={label}
      onSubmit={handleSubmit}
      noValidate
    >
      {notice === null ? null : <Callout intent={Intent.WARNING}>{notice}</Callout>}
      {errors.length > 0 ? (
        <div className={styles['flowErrors']} role="alert" tabIndex={-1} ref={summary}>
          <Callout intent={Intent.DANGER} icon={null}>
            {errors.length === 1 ? null : <strong>There are {errors.length} problems</strong>}
            <ul>
              {errors.map(({ text, field, label }) => (
                <li key={`${field ?? ''}${text}`}>
                  {field === undefined ? (
                    text
                  ) : (
                    <a href={`#${fieldId(field)}`} onClick={(event) => focusField(event, fieldId(field))}>
                      {label}: {text}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </Callout>
        </div>
      ) : null}
      <output className={styles['flowRemarks']} aria-label="Remarks">
        {remarks.map(({ text, type }) => (
          <Callout key={text} intent={type === 'success' ? Intent.SUCCESS : Intent.PRIMARY} icon={null}>
            {text}
          </Callout>
        ))}
      </output>
      {keyFault === null ? null : (
        <Callout intent={Intent.WARNING} icon={null} role="alert">
          {keyFault}
        </Callout>
      )}
      {nodes.map((node) => (
        <FlowNodeView
          key={nodeKey(node)}
          node={node}
          id={isInputNode(node) ? fieldId(node.attributes.name) : ''}
          draft={isInputNode(node) ? drafts[node.attributes.name] : undefined}
          isSubmitting={isSubmitting}
          onDraft={(name, value) => setDrafts((current) => ({ ...current, [name]: value }))}
          onPress={(pressed) => {
            if (isKeyNode(pressed)) void handleKey(pressed)
            else send({ name: pressed.attributes.name, value: pressed.attributes.value ?? '' })
          }}
        />
      ))}
    </form>
  )
}

/** Group of the field that has the focus, undefined while a button has it. */
function groupInUse(nodes: readonly FlowNode[]): string | undefined {
  const focused = document.activeElement
  if (!(focused instanceof HTMLInputElement)) return undefined
  return nodes.find((node) => isInputNode(node) && node.attributes.name === focused.name)?.group
}

function focusField(event: { preventDefault: () => void }, id: string): void {
  event.preventDefault()
  document.getElementById(id)?.focus()
}

/** Buttons of one group often share their name; the value tells them apart. */
function nodeKey(node: FlowNode): string {
  const { attributes } = node
  switch (attributes.node_type) {
    case 'input':
      return `${node.group}/${attributes.name}/${isPressable(node as InputNode) ? String(attributes.value ?? '') : ''}`
    case 'text':
    case 'img':
    case 'a':
      return `${node.group}/${attributes.node_type}/${attributes.id ?? ''}`
    case 'unknown':
      return `${node.group}/unknown/${node.type}`
  }
}

interface FlowNodeViewProps {
  node: FlowNode
  id: string
  draft: string | boolean | undefined
  isSubmitting: boolean
  onDraft: (name: string, value: string | boolean) => void
  /** Of a button that Enter in a field does not press. */
  onPress: (node: InputNode) => void
}

function FlowNodeView({ node, ...props }: FlowNodeViewProps) {
  const { attributes } = node
  switch (attributes.node_type) {
    case 'input':
      return <FlowInput node={node as InputNode} {...props} />
    case 'text':
      return (
        <div className={styles['flowText']}>
          <span>{labelOf(node)}</span>
          <code>{attributes.text.text}</code>
        </div>
      )
    case 'img':
      return <img className={styles['flowImage']} src={attributes.src} alt={labelOf(node) || 'Code to scan'} />
    case 'a':
      return <a href={attributes.href}>{attributes.title.text}</a>
    case 'unknown':
      return null
  }
}

function FlowInput({ node, id, draft, isSubmitting, onDraft, onPress }: FlowNodeViewProps & { node: InputNode }) {
  const { attributes } = node
  const { name, type, disabled, required, autocomplete, pattern, maxlength } = attributes
  const label = labelOf(node)

  if (isKeyNode(node) || isRemoval(node)) {
    return (
      <Button
        intent={isRemoval(node) ? Intent.DANGER : Intent.NONE}
        variant="outlined"
        size="large"
        fill
        text={label}
        disabled={disabled === true || isSubmitting}
        onClick={() => onPress(node)}
      />
    )
  }
  if (type === 'hidden' || type === 'button') return null
  if (type === 'submit') {
    return (
      <Button
        type="submit"
        intent={node.group === 'oidc' ? Intent.NONE : Intent.PRIMARY}
        size="large"
        fill
        text={label === '' || label === name ? 'Continue' : label}
        loading={isSubmitting}
        disabled={disabled === true}
        data-node={nodeKey(node)}
      />
    )
  }
  if (type === 'checkbox') {
    return (
      <Checkbox
        id={id}
        name={name}
        label={label}
        disabled={disabled === true}
        checked={typeof draft === 'boolean' ? draft : attributes.value === true || attributes.value === 'true'}
        onChange={(event) => onDraft(name, event.currentTarget.checked)}
      />
    )
  }

  const errors = node.messages.filter((message) => message.type === 'error')
  const hints = node.messages.filter((message) => message.type !== 'error')
  const said = (messages: typeof errors): string | undefined => messages.map(({ text }) => text).join(' ') || undefined
  return (
    <Field id={id} label={label} error={said(errors)} help={said(hints)}>
      {(control) => (
        <FlowTextInput
          {...control}
          name={name}
          type={type}
          value={typeof draft === 'string' ? draft : String(attributes.value ?? '')}
          onValueChange={(value) => onDraft(name, value)}
          readOnly={disabled === true}
          required={required === true}
          {...(autocomplete ? { autoComplete: autocomplete } : defaultAutoComplete(name))}
          {...(pattern ? { pattern, inputMode: pattern === '[0-9]+' ? 'numeric' : 'text' } : {})}
          {...(maxlength ? { maxLength: maxlength } : {})}
        />
      )}
    </Field>
  )
}

/** The service says what a field is for; for the two that password managers depend on, we don't rely on that. */
function defaultAutoComplete(name: string): { autoComplete?: string } {
  if (name === 'identifier') return { autoComplete: 'username' }
  if (name === 'password') return { autoComplete: 'current-password' }
  return {}
}

function FlowTextInput(props: React.ComponentProps<typeof InputGroup>) {
  const [isShown, setShown] = useState(false)
  if (props.type !== 'password') return <InputGroup size="large" fill {...props} />
  return (
    <InputGroup
      size="large"
      fill
      {...props}
      type={isShown ? 'text' : 'password'}
      rightElement={
        <IconButton
          icon={isShown ? <EyeOff /> : <EyeOpen />}
          label={isShown ? 'Hide password' : 'Show password'}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
