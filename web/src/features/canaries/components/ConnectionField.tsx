import { useQuery } from '@tanstack/react-query'
import { CONNECTION_TYPES, type ConnectionTypeName, isConnectionType } from '@watchroom/shared/settings/connections'

import { connectionOptionsQuery, toReference } from '../../../api/connectionOptions.ts'
import { useSession } from '../../../api/session.tsx'
import type { FieldProps } from '../../../ui/form/Field.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'

interface ConnectionFieldProps extends FieldProps<string> {
  types: readonly ConnectionTypeName[]
}

/** A connection of certain types, by its name in definitions. Whoever may not list them sees what is written. */
export function ConnectionField({ types, ...field }: ConnectionFieldProps) {
  const mayList = useSession().can('write', 'notifications') && field.isReadOnly !== true
  const { data, isError } = useQuery({ ...connectionOptionsQuery, enabled: mayList })
  const offered = (data ?? []).flatMap((option) => {
    const { type } = option
    if (!type || !isConnectionType(type) || !types.includes(type)) return []
    return [{ value: toReference(option), label: `${option.name} (${CONNECTION_TYPES[type].title})` }]
  })
  return (
    <SelectField
      {...field}
      options={offered}
      placeholder="None (a local folder)"
      help={isError ? 'Couldn’t load connections.' : field.help}
    />
  )
}
