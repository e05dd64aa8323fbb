import { zodResolver } from '@hookform/resolvers/zod'
import { capitalize } from '@watchroom/shared/kernel'
import { type SyntheticEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  type Resolver,
  useForm as useHookForm,
  useWatch,
} from 'react-hook-form'
import type { z } from 'zod'

import { errorText } from '../errorText.ts'
import { showErrorToast } from '../toaster.ts'
import { type FieldFault, faultsOf } from './fieldFault.ts'
import { focusFirstFault } from './focusFirstFault.ts'
import { type FormDraft, useFormDraft } from './useFormDraft.ts'

interface FormOptions<Input, Values extends Input & FieldValues, Output, Saved> {
  /** What may be saved. Its texts are shown at the fields. */
  schema: z.ZodType<Output, Input>
  /** What the fields start with, and with it the type of each field. */
  initial: Values
  /**
   * Saves what the schema made of the fields. A rejection leaves everything as it was typed: shown at the fields that it
   * names (`HasFaults`), else as a toast. Resolves to false when nothing was saved and it was said already.
   */
  save: (output: Output) => Promise<Saved | false>
  /** The toast of a failure that belongs to no field. Default: its own words. */
  failureText?: (message: string) => string
  /** For what comes after: a toast, closing, going somewhere. */
  onSaved?: (saved: Saved, output: Output) => void
  /** Keeps what is typed in this tab: of person and place. Not for credentials, since what a tab keeps can be read there. */
  draftKey?: string | undefined
  /** What of the values is kept. Default: all of them. */
  toKept?: (values: Values) => Values
}

/** One field as its control takes it: `<TextField label="Title" {...form.field('title')} />`. */
export interface FieldBinding<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly error: string | undefined
}

export interface Form<Values extends FieldValues> {
  /** For the `form` element, and for a submit button outside of it. */
  readonly id: string
  /** As they are typed now. */
  readonly values: Values
  readonly field: <Path extends FieldPath<Values>>(path: Path) => FieldBinding<FieldPathValue<Values, Path>>
  /** What is wrong at any dotted path, for fields made of parts. */
  readonly errorAt: (path: string) => string | undefined
  readonly set: <Path extends FieldPath<Values>>(path: Path, value: FieldPathValue<Values, Path>) => void
  /**
   * The first thing that is wrong now, with its field, whether or not saving was tried; null when it can be saved. The same
   * function for as long as the values are: it judges all of them.
   */
  readonly findFault: () => string | null
  readonly isDirty: boolean
  /** Typed and not saved. Asked when someone leaves: a save that has just come through counts. */
  readonly hasUnsavedWork: () => boolean
  readonly isSaving: boolean
  readonly submit: (event?: SyntheticEvent) => void
  /** Begins anew with these values. */
  readonly reset: (values: Values) => void
  readonly draft: FormDraft
}

/**
 * A form of the kit: fields by path, faults at their fields once saving was tried, the first of them focused. The whole form
 * renders with each key, which forms as long as people fill them in can afford.
 */
export function useForm<Input extends FieldValues, Values extends Input, Output, Saved>(
  options: FormOptions<Input, Values, Output, Saved>,
): Form<Values> {
  const { schema, initial, save, failureText = (message: string) => message, onSaved } = options
  const id = useId()
  const form = useHookForm<Values, unknown, Output>({
    // What the form holds is what the schema takes, and more exact where that may leave parts out.
    resolver: zodResolver(schema) as unknown as Resolver<Values, unknown, Output>,
    // The library asks for a deep partial of what may be given as a whole.
    defaultValues: initial as never,
    shouldFocusError: false,
  })
  const { errors, isDirty, isSubmitted, isSubmitting, submitCount } = form.formState
  const [refused, setRefused] = useState<readonly FieldFault[]>([])
  const isBusy = useRef(false)
  const isDone = useRef(false)
  // Values have their defaults from the start: none is missing.
  const values = useWatch({ control: form.control }) as Values
  const hasUnsavedWork = (): boolean => isDirty && !isDone.current
  const { beginAnew, ...draft } = useFormDraft<Values>({
    key: options.draftKey,
    initial,
    values,
    toKept: options.toKept,
    isDirty,
    isUnsaved: hasUnsavedWork,
    onRestore: (restored) => form.reset(restored, { keepDefaultValues: true }),
  })

  // Faults of this attempt are on the page when it is counted.
  useEffect(() => {
    if (submitCount > 0) focusFirstFault(document.getElementById(id))
  }, [id, submitCount])

  function set<Path extends FieldPath<Values>>(path: Path, value: FieldPathValue<Values, Path>): void {
    isDone.current = false
    setRefused((current) => current.filter(({ field }) => field !== path && !field.startsWith(`${path}.`)))
    form.setValue(path, value, { shouldDirty: true })
    // All of them: what is wrong with one field may hang on another.
    if (isSubmitted) void form.trigger()
  }

  async function handleValid(output: Output): Promise<void> {
    setRefused([])
    try {
      const saved = await save(output)
      if (saved === false) return
      isDone.current = true
      draft.forget()
      onSaved?.(saved, output)
    } catch (error) {
      const faults = faultsOf(error)
      const known = faults.filter(({ field }) => get(form.getValues(), field) !== undefined)
      setRefused(known)
      if (known.length === 0 || known.length < faults.length) showErrorToast(failureText(errorText(error)))
    }
  }

  const errorAt = (path: string): string | undefined =>
    refused.find(({ field }) => field === path)?.message ?? messageAt(errors, path) ?? messageAt(errors, `${path}.root`)

  const findFault = useCallback(() => {
    const issue = schema.safeParse(values).error?.issues[0]
    return issue === undefined ? null : `${toFieldLabel(issue.path[0])}: ${issue.message}`
  }, [schema, values])

  function reset(next: Values): void {
    isDone.current = false
    setRefused([])
    beginAnew(next)
    form.reset(next)
  }

  return {
    id,
    values,
    field: (path) => ({
      value: values && get(values, path),
      onChange: (value) => set(path, value),
      error: errorAt(path),
    }),
    errorAt,
    set,
    findFault,
    isDirty,
    hasUnsavedWork,
    isSaving: isSubmitting,
    submit: (event) => {
      event?.preventDefault()
      if (isBusy.current) return
      isBusy.current = true
      void form
        .handleSubmit(handleValid)()
        .finally(() => {
          isBusy.current = false
        })
    },
    reset,
    draft: { ...draft, discard: () => reset(initial) },
  }
}

const toFieldLabel = (key: PropertyKey | undefined): string => capitalize(String(key ?? 'form'))

function messageAt(errors: object, path: string): string | undefined {
  const found: unknown = get(errors, path)
  return typeof found === 'object' && found !== null && 'message' in found && typeof found.message === 'string'
    ? found.message
    : undefined
}
