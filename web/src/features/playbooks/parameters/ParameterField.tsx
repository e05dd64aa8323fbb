import { useQuery } from '@tanstack/react-query'
import { ownValue } from '@watchroom/shared/kernel'
import { type Parameter, parameterLabel } from '@watchroom/shared/playbooks'

import { personName, usePeople } from '../../../api/people.ts'
import { teamOptionsQuery } from '../../../api/teams.ts'
import type { FieldProps } from '../../../ui/form/Field.tsx'
import { MillicoresField } from '../../../ui/form/MillicoresField.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { SizeField } from '../../../ui/form/SizeField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { unreadText } from '../../../ui/form/unreadText.ts'
import { isTargetKind } from '../playbookQueries.ts'
import { CodeParameter } from './CodeParameter.tsx'
import { ResourceField } from './ResourceField.tsx'

interface ParameterFieldProps {
  parameter: Parameter
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** The control of a parameter, by its type. A type that is new here is a line of text. */
export function ParameterField({ parameter, value, onChange, error }: ParameterFieldProps) {
  const { type, properties, required, description } = parameter
  const field: FieldProps<string> = {
    label: parameterLabel(parameter),
    value,
    onChange,
    error,
    mark: required === true || type === 'checkbox' ? undefined : 'optional',
    help: description || undefined,
  }
  if (type !== null && type !== undefined && isTargetKind(type)) {
    return <ResourceField {...field} kind={type} selectors={properties?.filter ?? []} />
  }
  switch (type ?? 'text') {
    case 'checkbox':
      return <SwitchField {...field} value={value === 'true'} onChange={(isOn) => onChange(isOn ? 'true' : 'false')} />
    case 'list':
      return <SelectField {...field} placeholder="Choose one" options={properties?.options ?? []} />
    case 'people':
      return <PeopleField {...field} />
    case 'team':
      return <TeamField {...field} />
    case 'code':
      return <CodeParameter {...field} properties={properties ?? {}} />
    case 'secret':
      return <TextField {...field} type="password" autoComplete="new-password" isSpelled={false} />
    default:
      return <Line {...field} properties={properties ?? {}} />
  }
}

function PeopleField(field: FieldProps<string>) {
  const { present, hasFailed } = usePeople()
  const options = present.map((person) => ({ value: person.id, label: personName(person) }))
  const help = hasFailed ? unreadText('People') : field.help
  return <SelectField {...field} help={help} placeholder="Choose a person" options={options} />
}

function TeamField(field: FieldProps<string>) {
  const { data = [], isError } = useQuery(teamOptionsQuery)
  return (
    <SelectField
      {...field}
      help={isError ? unreadText('Teams') : field.help}
      placeholder="Choose a team"
      options={data.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

const INPUT_TYPES: Readonly<Record<string, string>> = { email: 'email', url: 'url', password: 'password' }

interface LineProps extends FieldProps<string> {
  properties: NonNullable<Parameter['properties']>
}

function Line({ properties, ...field }: LineProps) {
  const { format = '', multiline, maxLength } = properties
  if (format === 'bytes') return <SizeField {...field} />
  if (format === 'millicores') return <MillicoresField {...field} />
  return (
    <TextField
      {...field}
      isMultiline={multiline === true}
      isSpelled={format === ''}
      type={ownValue(INPUT_TYPES, format) ?? 'text'}
      inputMode={format === 'number' ? 'decimal' : 'text'}
      {...(maxLength === undefined ? {} : { maxLength })}
    />
  )
}
