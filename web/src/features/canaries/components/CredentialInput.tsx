import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { EyeOff, EyeOpen } from '@blueprintjs/icons'
import { useState } from 'react'

import { IconButton } from '../../../ui/IconButton.tsx'
import { type Credential, type Source, SOURCES } from '../spec/credential.ts'
import type { ControlProps } from './FieldFrame.tsx'

interface CredentialInputProps extends Omit<ControlProps, 'id'> {
  /** Where the label stands outside. */
  id?: string
  credential: Credential
  isSecret: boolean
  placeholder?: string
  /** Errors of a reference, by `name` and `key`. */
  errorAt: (part: 'name' | 'key') => string | undefined
  onChange: (credential: Credential) => void
}

/** A value that is written here, or the place of a secret or config map that holds it. */
export function CredentialInput(props: CredentialInputProps) {
  const { id, label, credential, isReadOnly, described, onChange } = props
  /** Typed before another source was chosen, in case somebody comes back. */
  const [kept, setKept] = useState('')
  const changeSource = (source: Source): void => {
    if (credential.source === 'value') setKept(credential.text)
    onChange({ ...credential, source, text: source === 'value' ? kept : '' })
  }
  return (
    <div className="canary-credential" data-source={credential.source}>
      <HTMLSelect
        fill
        aria-label={`${label}, source`}
        value={credential.source}
        disabled={isReadOnly}
        options={[...SOURCES]}
        onChange={(event) =>
          changeSource(SOURCES.find(({ value }) => value === event.currentTarget.value)?.value ?? 'value')
        }
      />
      {credential.source === 'value' ? (
        <StaticInput {...props} />
      ) : (
        (['name', 'key'] as const).map((part) => {
          const isWrong = props.errorAt(part) !== undefined
          return (
            <InputGroup
              key={part}
              fill
              {...(part === 'name' && id !== undefined ? { id } : {})}
              aria-label={`${label}, ${part}`}
              aria-invalid={isWrong}
              aria-describedby={described['aria-describedby']}
              intent={isWrong ? 'danger' : 'none'}
              placeholder={isReadOnly ? '' : part === 'name' ? 'Name' : 'Key'}
              autoComplete="off"
              spellCheck={false}
              value={credential[part]}
              readOnly={isReadOnly}
              onValueChange={(text) => onChange({ ...credential, [part]: text })}
            />
          )
        })
      )}
    </div>
  )
}

/** Secrets are hidden until somebody asks for them. */
function StaticInput({
  id,
  label,
  credential,
  isSecret,
  isReadOnly,
  placeholder,
  described,
  ...props
}: CredentialInputProps) {
  const [isShown, setShown] = useState(false)
  const word = label.toLowerCase()
  return (
    <InputGroup
      fill
      {...(id === undefined ? { 'aria-label': label } : { id })}
      {...described}
      type={isSecret && !isShown ? 'password' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      placeholder={isReadOnly ? '' : (placeholder ?? '')}
      value={credential.text}
      readOnly={isReadOnly}
      onValueChange={(text) => props.onChange({ ...credential, text })}
      {...(isSecret
        ? {
            rightElement: (
              <IconButton
                icon={isShown ? <EyeOff /> : <EyeOpen />}
                label={isShown ? `Hide ${word}` : `Show ${word}`}
                onClick={() => setShown(!isShown)}
              />
            ),
          }
        : {})}
    />
  )
}
