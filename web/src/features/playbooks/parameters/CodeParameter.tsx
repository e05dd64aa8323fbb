import { useQuery } from '@tanstack/react-query'
import type { Parameter } from '@watchroom/shared/playbooks'

import { errorText } from '../../../api/request.ts'
import { EDITOR_SIZES } from '../../../editor/contract.ts'
import { PHONE } from '../../../ui/breakpoints.ts'
import { CodeField } from '../../../ui/form/CodeField.tsx'
import type { FieldProps } from '../../../ui/form/Field.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { jsonSchemaQuery } from '../playbookQueries.ts'
import { toSchemaPath } from './schemaPath.ts'

interface CodeParameterProps extends FieldProps<string> {
  properties: NonNullable<Parameter['properties']>
}

/** A text in a language; checked against a schema of this server, where the parameter names one. */
export function CodeParameter({ properties, ...field }: CodeParameterProps) {
  const { language = 'yaml', size, jsonSchemaUrl } = properties
  const path = jsonSchemaUrl === undefined ? null : toSchemaPath(jsonSchemaUrl, location.origin)
  const schema = useQuery({ ...jsonSchemaQuery(path ?? ''), enabled: path !== null })
  const isPhone = useMediaQuery(PHONE)
  if (language !== 'yaml' && language !== 'json') return <TextField {...field} isMultiline isCode />
  // An editor of the whole window has no place among other fields: there is a way past it.
  const most = isPhone ? 'medium' : 'large'
  const height = size === 'full' || size === 'large' ? most : EDITOR_SIZES.find((known) => known === size)
  const notes = [
    field.help,
    jsonSchemaUrl !== undefined && path === null ? 'Not validated: this server doesn’t have its schema.' : '',
    schema.isError ? `Not checked here: ${errorText(schema.error)}` : '',
  ]
  return (
    <CodeField
      // The editor reads its schema once.
      key={schema.isSuccess ? 'checked' : 'plain'}
      {...field}
      help={notes.filter(Boolean).join(' ') || undefined}
      // Nobody types into the one that is about to be replaced.
      isReadOnly={field.isReadOnly === true || (path !== null && schema.isPending)}
      language={language}
      {...(height === undefined ? {} : { size: height })}
      {...(schema.isSuccess ? { schema: schema.data } : {})}
    />
  )
}
